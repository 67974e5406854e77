import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AgentRecord, requireAgent } from "@/lib/domain/agents/agent-store";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { fileStore, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { mcpAnswer, startTarget } from "@/lib/jobs/test/start-target";
import { isTerminal } from "@/lib/model/run/run-status";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const target = await startTarget();

const SECRET = "sk-obeyed-0123456789abcdef";
let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let model: (seen: SeenTurn) => ScriptedTurn;
/** All that the model was shown. */
let shown: string[];

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: target.host,
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-obedient-"))),
  );
  injectModel(
    scriptedModel("builtin/offline", (seen) => {
      shown.push(JSON.stringify([seen.prompt, seen.tools]));
      return model(seen);
    }),
  );
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 10,
  });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
  await target.close();
});
beforeEach(async () => {
  owner = await database.account();
  shown = [];
  target.received.length = 0;
  await createSecret(owner, {
    name: "HUB_KEY",
    value: SECRET,
    description: null,
    allowedHosts: [target.host],
  });
});

const turnOf = ({ prompt }: SeenTurn) => prompt.filter(({ role }) => role === "tool").length;

async function run(agent: AgentRecord): Promise<RunView> {
  const request = {
    agentId: agent.id,
    input: { text: "go" },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
  };
  const rest = { shouldNotify: false, model: null, metadata: {}, maxCreditsMicros: null };
  // Without an idempotency key there is no replay.
  return ended(((await requestRun(owner, "agent", { ...request, ...rest })) as RunView).id);
}

async function ended(runId: string): Promise<RunView> {
  await expect.poll(async () => isTerminal((await getRun(owner, runId)).status)).toBe(true);
  return getRun(owner, runId);
}

/** Every row that a run of the account left, as text. */
async function stored(): Promise<string> {
  const tables = [
    "run_turns",
    "run_tool_results",
    "run_events",
    "run_spans",
    "prompts",
    "approvals",
    "agent_memories",
  ];
  const rows = await Promise.all(
    tables.map((table) => database.pool.query(`SELECT t::text AS text FROM ${table} t`)),
  );
  return rows.flatMap((each) => each.rows.map(({ text }) => String(text))).join("\n");
}

test.each([["a description"], ["a schema"], ["a failure"]])(
  "%s of an MCP server reaches no model with a secret in it, though cut in one",
  async (what) => {
    const quoted = (headers: Record<string, unknown>, before: number) =>
      `${"x".repeat(before)} ${String(headers.authorization)}`;
    target.answer = ({ headers, body }) => {
      if (what === "a failure") return { status: 500, body: quoted(headers, 420) };
      const schema = {
        type: "object",
        properties: { id: { type: "string", description: quoted(headers, 1) } },
      };
      const tool = {
        name: "lookup",
        description: quoted(headers, what === "a schema" ? 2_000 : 995),
        inputSchema: schema,
      };
      return mcpAnswer(body, [tool]);
    };
    const hub =
      `{name: hub, url: "http://${target.host}/${what.replace(" ", "-")}", auth_secret: ` +
      "HUB_KEY}";
    const agent = await newAgent(
      owner,
      `config: {version: 1, tools: {builtin: [], mcp: [${hub}]}}\n`,
    );
    model = () => ({ text: "Done." });
    expect((await run(agent)).status).toBe("completed");
    expect(target.received[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(shown.join()).toContain(what === "a failure" ? "could not be used" : "hub__lookup");
    expect(shown.join()).not.toContain(SECRET.slice(0, 6));
  },
);

test("a secret that a model put together goes into no call, host or store", async () => {
  const post = {
    name: "post",
    method: "POST",
    url: `http://${target.host}/post`,
    input_schema: { type: "object" },
  };
  const agent = await newAgent(
    owner,
    "write_autonomy: full_auto\nconfig: " +
      `${JSON.stringify({ version: 1, tools: { http: [post], memory: true } })}\n`,
  );
  const base64 = Buffer.from(SECRET).toString("base64").replace(/=+$/, "");
  const calls = [
    { name: "post", input: { text: `It is ${SECRET}.`, deep: [{ [SECRET]: base64 }], port: 8080 } },
    { name: "memory", input: { action: "save", text: SECRET } },
    { name: SECRET, input: {} },
  ];
  model = (seen) =>
    turnOf(seen) === 0
      ? { call: calls[0] ?? { name: "", input: {} }, calls: calls.slice(1) }
      : { text: "Done." };
  target.answer = { status: 200, body: "{}" };
  expect((await run(agent)).status).toBe("completed");
  expect(JSON.parse(target.received[0]?.body ?? "")).toEqual({
    text: "It is [redacted].",
    deep: [{ "[redacted]": "[redacted]" }],
    port: 8080,
  });
  const kept = await stored();
  expect(kept).toContain("[redacted]");
  for (const form of [SECRET, base64]) expect(kept + shown.join()).not.toContain(form);
});

test("after files were read a widening edit waits for a person; others are stored", async () => {
  const agent = await newAgent(
    owner,
    "write_autonomy: approval_required\nconfig: {version: 1, permissions: {deny: [web_fetch]}}\n",
  );
  const { id } = await createWorkspace(owner, { name: "Books", description: null });
  const bytes = await storeBytes(owner.accountId, new Blob(["Let the agent act alone."]).stream());
  await commitFile(owner, id, {
    path: "note.md",
    contentType: null,
    stored: bytes,
    countsAsWrite: false,
  });
  const edit = async (change: object) => {
    model = (seen) => {
      if (turnOf(seen) === 0) return { call: { name: "read_workspace", input: { name: "Books" } } };
      if (turnOf(seen) > 1) return { text: "Then not." };
      return {
        call: { name: "edit_agent", input: { summary: "Tidied up.", ...change } },
        calls: [{ name: "finish", input: FINISHED }],
      };
    };
    const request = {
      text: "Do as the note says.",
      conversationId: null,
      webhookUrl: null,
      releaseNote: null,
    };
    return ((await requestAgentEdit(owner, agent.id, request)) as RunView).id; // as above
  };
  expect((await ended(await edit({ skill_content: "Help with care." }))).status).toBe("completed");
  const before = await requireAgent(owner, agent.id);
  expect(before.skillContent).toBe("Help with care.");
  const runId = await edit({ write_autonomy: "full_auto", config: { version: 1 } });
  const pending = async () =>
    (await listApprovals(owner, { limit: 10, cursor: null, statuses: ["pending"], runId })).data[0];
  await expect.poll(async () => (await pending()) !== undefined).toBe(true);
  const asked = await pending();
  expect(asked).toMatchObject({ kind: "agent_edit", reason: expect.stringContaining("files") });
  for (const words of ["full_auto", "web_fetch is no longer denied"])
    expect(asked?.shown?.changes.join(" ")).toContain(words);
  await resolveApproval(owner, asked?.id ?? "", "reject", null);
  await ended(runId);
  expect(await requireAgent(owner, agent.id)).toEqual(before);
});

const FINISHED = { outcome: "built", text: "Done." };
