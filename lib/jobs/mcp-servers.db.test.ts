import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { executeRun } from "@/lib/jobs/execute-run";
import { type ReceivedRequest, startTarget, type TargetAnswer } from "@/lib/jobs/test/start-target";
import { isTerminal } from "@/lib/model/run/run-status";
import { scriptedModel } from "@/lib/runtime/test/scripted-model";

// What whole runs ask of a server of 2026-07-28 by the official package.

const target = await startTarget();
const url = `http://${target.host}/mcp`;

const handler = createMcpHandler(
  () => {
    const made = new McpServer({ name: "hub", version: "1" });
    made.registerTool(
      "search",
      { inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
      ({ text }) => ({ content: [{ type: "text", text: `Found ${text}.` }] }),
    );
    return made;
  },
  { legacy: "reject" },
);

/** The methods that the server was asked. */
const requests: string[] = [];
/** What a listing waits for. */
let held: Promise<void>;

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
/** What the model calls before it answers. */
let texts: string[];
/** The tools that it was shown, a turn each. */
const shown: string[][] = [];

async function answer({ headers, body }: ReceivedRequest): Promise<TargetAnswer> {
  const { method = "" } = JSON.parse(body) as { method?: string }; // our own client's JSON-RPC
  requests.push(method);
  if (method === "tools/list") await held;
  const answered = await handler.fetch(
    // None of them comes twice.
    new Request(url, { method: "POST", headers: headers as Record<string, string>, body }),
  );
  return {
    status: answered.status,
    headers: Object.fromEntries(answered.headers),
    body: await answered.text(),
  };
}

beforeAll(async () => {
  target.answer = answer;
  database = await openDomainDatabase({ env: { EGRESS_ALLOW: target.host } });
  injectModel(
    scriptedModel("builtin/offline", ({ prompt, tools }) => {
      shown.push((tools ?? []).map(({ name }) => name));
      const text = texts[prompt.filter(({ role }) => role === "tool").length];
      return text === undefined
        ? { text: "Done." }
        : { call: { name: "hub__search", input: { text } } };
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
  held = Promise.resolve();
  texts = [];
  requests.length = 0;
  shown.length = 0;
});

async function newReader(): Promise<string> {
  const agent = await newAgent(owner);
  const hub = { name: "hub", url, read_only: ["search"] };
  await updateAgent(owner, agent.id, { config: { version: 1, tools: { mcp: [hub] } } });
  return agent.id;
}

async function run(agentId: string): Promise<RunView["status"]> {
  const request = {
    agentId,
    input: { text: "go" },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  };
  // Without an idempotency key there is no replay.
  const { id } = (await requestRun(owner, "agent", request)) as RunView;
  await expect.poll(async () => isTerminal((await getRun(owner, id)).status)).toBe(true);
  return (await getRun(owner, id)).status;
}

test("a call is one request: only the first run asks for revision and listing", async () => {
  const agentId = await newReader();
  texts = ["one"];
  expect(await run(agentId)).toBe("completed");
  expect(requests).toEqual(["server/discover", "tools/list", "tools/call"]);
  requests.length = 0;
  texts = ["one", "two", "three"];
  expect(await run(agentId)).toBe("completed");
  expect(requests).toEqual(["tools/call", "tools/call", "tools/call"]);
});

test("a server that lists for ever holds up no turn of a run once listed", async () => {
  const agentId = await newReader();
  expect(await run(agentId)).toBe("completed");
  await database.pool.query(
    "UPDATE mcp_listings SET fresh_until = now() - interval '1 second' WHERE account_id = $1",
    [owner.accountId],
  );
  const listing = Promise.withResolvers<void>();
  held = listing.promise;
  shown.length = requests.length = 0;
  expect(await run(agentId)).toBe("completed");
  expect(requests).toEqual(["tools/list"]);
  expect(shown).toEqual([expect.arrayContaining(["hub__search"])]);
  listing.resolve();
});
