import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { getApproval } from "@/lib/domain/approvals/approval-view";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { installSkill } from "@/lib/domain/skills/install-skill";
import { readSkillText } from "@/lib/domain/skills/read-skill-text";
import { switchSkill } from "@/lib/domain/skills/switch-skill";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { functions } from "@/lib/jobs/functions";
import { startScriptedModel } from "@/lib/jobs/test/scripted-model";
import { startTarget } from "@/lib/jobs/test/start-target";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { isTerminal } from "@/lib/model/run/run-status";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";

const [model, target] = await Promise.all([startScriptedModel(), startTarget()]);
const database = await openDomainDatabase({
  env: {
    OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
    OPENAI_COMPATIBLE_MODELS: "scripted",
    LOG_LEVEL: "error",
    EGRESS_ALLOW: target.host,
    ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
  },
});

const targetUrl = `http://${target.host}`;
const { received } = target;
let executor: Awaited<ReturnType<typeof startExecutor>>;
let owner: Principal;

function startExecutor() {
  return startEmbeddedExecutor({ functions, pool: postgres(), concurrency: 10 });
}

beforeAll(async () => {
  executor = await startExecutor();
});

afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await model.close();
  await target.close();
  await database.close();
});

beforeEach(async () => {
  const { accountId } = await createAccount({
    email: `${newId()}@example.test`,
    password: null,
    credits: 10_000,
  });
  owner = systemPrincipal(accountId);
  received.length = 0;
  target.answer = { status: 200, body: '{"ok":true}' };
  model.seen.length = 0;
});

async function newAgent(
  config: Omit<AgentConfig, "version">,
  writeAutonomy: WriteAutonomy,
): Promise<string> {
  const agentId = newId();
  const draft = {
    name: "A",
    description: null,
    skillContent: "# A",
    config: { version: 1 as const, ...config },
    configContent: "version: 1\n",
    keyOrder: null,
    dashboardTemplate: null,
    writeAutonomy,
  };
  await transaction((tx) =>
    insertAgent(
      tx,
      { agentId, accountId: owner.accountId, runId: newId(), version: "1.0.0", releaseNote: null },
      draft,
    ),
  );
  return agentId;
}

async function start(agentId: string | null): Promise<string> {
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
  return ((await requestRun(owner, "agent", request)) as RunView).id;
}

const ended = (runId: string) =>
  vi.waitUntil(
    async () => {
      const run = await getRun(owner, runId);
      return isTerminal(run.status) && run;
    },
    { timeout: 60_000, interval: 25 },
  );

const asked = (runId: string) =>
  vi.waitUntil(
    async () =>
      (await listApprovals(owner, { limit: 10, cursor: null, statuses: ["pending"], runId }))
        .data[0],
    {
      timeout: 60_000,
      interval: 25,
    },
  );

async function eventsOf(runId: string): Promise<{ type: string; [key: string]: unknown }[]> {
  const { rows } = await postgres().query<{ lines: string }>(
    "SELECT lines FROM run_events WHERE run_id = $1 ORDER BY first_sequence",
    [runId],
  );
  return rows.flatMap(({ lines }) =>
    lines.split("\n").map((line) => JSON.parse(line) as { type: string }),
  ); // our own stored lines
}

const ticketTool = () => ({
  name: "create_ticket",
  method: "POST" as const,
  url: `${targetUrl}/tickets/{queue}`,
  input_schema: {
    type: "object",
    properties: { queue: { type: "string" }, title: { type: "string" } },
    required: ["queue"],
  },
});
const call = (id: string, args: unknown = { queue: "a b", title: "Broken" }) => ({
  id,
  name: "create_ticket",
  args,
});
const toldModel = () =>
  JSON.stringify(model.seen.at(-1)?.messages.filter(({ role }) => role === "tool"));

describe("write autonomy", () => {
  test("full_auto runs a write at once, with its call's key, path and JSON", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(await newAgent({ tools: { http: [ticketTool()] } }, "full_auto"));
    expect(await ended(runId)).toMatchObject({ status: "completed", result: { text: "Done." } });
    expect(received).toMatchObject([
      {
        method: "POST",
        url: "/tickets/a%20b",
        body: '{"title":"Broken"}',
        headers: { "content-type": "application/json" },
      },
    ]);
    const toolCallId = model.seen[1]?.messages.find(({ role }) => role === "tool")?.tool_call_id;
    expect(received[0]?.headers["idempotency-key"]).toBe(`${runId}:${toolCallId}`);
    expect(toldModel()).toContain("ok");
  });

  test("blocked refuses a write and tells the model, which sees the tool; reads run", async () => {
    const read = {
      name: "find_ticket",
      method: "GET" as const,
      url: `${targetUrl}/find`,
      input_schema: { type: "object", properties: { q: { type: "string" } } },
    };
    model.play([
      { calls: [call("call_1"), { id: "call_2", name: "find_ticket", args: { q: "x y" } }] },
      { text: "No." },
    ]);
    const runId = await start(await newAgent({ tools: { http: [ticketTool(), read] } }, "blocked"));
    expect((await ended(runId)).status).toBe("completed");
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /find?q=x+y"]);
    expect(toldModel()).toContain("blocked");
    expect((await eventsOf(runId)).filter(({ type }) => type === "tool.completed")).toMatchObject([
      { status: "failed" },
      { status: "succeeded" },
    ]);
  });

  test("permissions are stricter: deny hides and refuses, ask waits, in any autonomy", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    const denied = await start(
      await newAgent(
        {
          tools: { http: [ticketTool()] },
          permissions: { deny: ["create_ticket"], allow: ["create_ticket"] },
        },
        "full_auto",
      ),
    );
    await ended(denied);
    expect(received).toEqual([]);
    expect(model.seen[0]?.tools?.map((tool) => tool.function.name)).not.toContain("create_ticket");
    model.play([
      { calls: [{ id: "t", name: "todo", args: { items: [{ text: "x", done: false }] } }] },
      { text: "Done." },
    ]);
    const asking = await start(await newAgent({ permissions: { ask: ["todo"] } }, "full_auto"));
    await resolveApproval(owner, (await asked(asking)).id, "approve", null);
    expect((await ended(asking)).status).toBe("completed");
  });
});

describe("approvals", () => {
  test("an approved call waits, is shown, and runs once", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(
      await newAgent(
        { tools: { http: [ticketTool()] }, limits: { approval_timeout_seconds: 3_600 } },
        "approval_required",
      ),
    );
    const approval = await asked(runId);
    expect(approval).toMatchObject({
      toolName: "create_ticket",
      arguments: { queue: "a b", title: "Broken" },
      summary: expect.stringContaining("POST"),
      decidedAt: null,
    });
    expect(approval.expiresAt.getTime() - approval.createdAt.getTime()).toBe(3_600_000);
    expect(await getRun(owner, runId)).toMatchObject({
      status: "running",
      requiresAction: { type: "approval", approval_id: approval.id },
    });
    expect(received).toEqual([]);
    expect(await resolveApproval(owner, approval.id, "approve", null)).toMatchObject({
      status: "approved",
      decidedAt: expect.any(Date),
    });
    expect((await getRun(owner, runId)).requiresAction).toBeNull();
    expect((await ended(runId)).status).toBe("completed");
    expect(received).toHaveLength(1);
    const shown = (await eventsOf(runId))
      .map(({ type }) => type)
      .filter((type) => /approval|tool/.test(type));
    expect(shown).toEqual([
      "approval.requested",
      "approval.resolved",
      "tool.started",
      "tool.completed",
    ]);
    expect(await resolveApproval(owner, approval.id, "approve", "late")).toMatchObject({
      status: "approved",
      message: null,
    });
    await expect(resolveApproval(owner, approval.id, "reject", null)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This approval is approved already: it cannot be decided any more.",
    });
  });

  test("a rejected call never runs, and the model is told why", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Understood." }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    await resolveApproval(owner, (await asked(runId)).id, "reject", "Ask Kim first.");
    expect((await ended(runId)).result?.text).toBe("Understood.");
    expect(received).toEqual([]);
    expect(toldModel()).toContain("Ask Kim first.");
    expect((await eventsOf(runId)).find(({ type }) => type === "approval.resolved")).toMatchObject({
      decision: "reject",
    });
  });

  test("nobody is asked about arguments that do not fit", async () => {
    model.play([{ calls: [call("call_1", { title: 1 })] }, { text: "Oh." }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    await ended(runId);
    expect(toldModel()).toContain("do not fit");
    expect(
      (await listApprovals(owner, { limit: 10, cursor: null, statuses: null, runId })).data,
    ).toEqual([]);
  });

  test("a call that nobody decides in time counts as rejected, and the run goes on", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Without it, then." }]);
    const runId = await start(
      await newAgent(
        {
          tools: { http: [ticketTool()] },
          limits: { approval_timeout_seconds: 1, timeout_seconds: 5 },
        },
        "approval_required",
      ),
    );
    const { id } = await asked(runId);
    const run = await ended(runId);
    expect(run).toMatchObject({ status: "completed", requiresAction: null });
    const approval = await getApproval(owner, id);
    expect(approval).toMatchObject({ status: "expired" });
    // It ended when it was to end, however late that was seen.
    expect(approval.decidedAt?.getTime()).toBeLessThanOrEqual(approval.expiresAt.getTime());
    await expect(resolveApproval(owner, id, "approve", null)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(received).toEqual([]);
  });

  test("what was asked after the wait for its decision began has its whole time", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(
      await newAgent(
        { tools: { http: [ticketTool()] }, limits: { approval_timeout_seconds: 4 } },
        "approval_required",
      ),
    );
    const { id } = await asked(runId);
    await database.pool.query(
      "UPDATE approvals SET expires_at = now() + interval '1 hour' WHERE id = $1",
      [id],
    );
    await expect
      .poll(async () => {
        const { rowCount } = await database.pool.query(
          `SELECT 1 FROM engine_steps s JOIN engine_runs r ON r.id = s.run_id WHERE r.event_id = $1
             AND s.name LIKE 'expire-%' AND s.done`,
          [runId],
        );
        return rowCount;
      })
      // The wait is over, and the next one has begun.
      .toBe(2);
    expect((await getRun(owner, runId)).requiresAction).toEqual({
      type: "approval",
      approval_id: id,
    });
    await resolveApproval(owner, id, "approve", null);
    expect(await ended(runId)).toMatchObject({ status: "completed" });
    expect(received).toHaveLength(1);
    const told = await database.pool.query(
      `SELECT 1 FROM account_events WHERE account_id = $1 AND type = 'run.requires_action'
         AND data ->> 'run_id' = $2`,
      [owner.accountId, runId],
    );
    expect(told.rowCount).toBe(1);
  });

  test("a run that cannot go on after an expired call fails with APPROVAL_EXPIRED", async () => {
    model.play([{ calls: [call("call_1")] }]);
    const runId = await start(
      await newAgent(
        { tools: { http: [ticketTool()] }, limits: { approval_timeout_seconds: 1, max_steps: 1 } },
        "approval_required",
      ),
    );
    expect(await ended(runId)).toMatchObject({
      status: "failed",
      error: { code: "APPROVAL_EXPIRED" },
    });
  });

  test("the person's time is not the run's: its limit stands still while it waits", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(
      await newAgent(
        {
          tools: { http: [ticketTool()] },
          limits: { timeout_seconds: 2, approval_timeout_seconds: 60 },
        },
        "approval_required",
      ),
    );
    const approval = await asked(runId);
    await postgres().query(
      "UPDATE runs SET started_at = started_at - interval '1 hour' WHERE id = $1",
      [runId],
    );
    await postgres().query(
      "UPDATE approvals SET created_at = created_at - interval '1 hour' WHERE id = $1",
      [approval.id],
    );
    await resolveApproval(owner, approval.id, "approve", null);
    expect((await ended(runId)).status).toBe("completed");
  });

  test("of many who decide at once one wins, and the others hear it", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    const { id } = await asked(runId);
    const decisions = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? ("approve" as const) : ("reject" as const),
    );
    const outcomes = await Promise.allSettled(
      decisions.map((decision) => resolveApproval(owner, id, decision, null)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    const { status } = await getApproval(owner, id);
    await ended(runId);
    expect(received).toHaveLength(status === "approved" ? 1 : 0);
  });

  test("a decision against a cancel: one wins, and after a cancel nothing runs", async () => {
    for (let round = 0; round < 5; round++) {
      model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
      received.length = 0;
      const runId = await start(
        await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
      );
      const { id } = await asked(runId);
      const [decided] = await Promise.allSettled([
        resolveApproval(owner, id, "approve", null),
        cancelRun(owner, runId),
      ]);
      const run = await ended(runId);
      const isApproved = decided.status === "fulfilled";
      expect((await getApproval(owner, id)).status).toBe(isApproved ? "approved" : "expired");
      if (!isApproved) expect([run.status, received.length]).toEqual(["cancelled", 0]);
    }
  });

  test("a cancelled run's approval expires at once and cannot be decided", async () => {
    model.play([{ calls: [call("call_1")] }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    const { id } = await asked(runId);
    await cancelRun(owner, runId);
    expect(await getApproval(owner, id)).toMatchObject({ status: "expired" });
    await expect(resolveApproval(owner, id, "approve", null)).rejects.toMatchObject({
      code: "CONFLICT",
      message: "This approval has expired, or its run was ended: it cannot be decided any more.",
    });
    // Whoever still has the log writes its last line.
    await ended(runId);
    expect((await eventsOf(runId)).at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "RUN_CANCELLED" },
    });
  });

  test("two calls of one turn are asked for one after the other", async () => {
    model.play([{ calls: [call("call_1"), call("call_2", { queue: "c" })] }, { text: "Done." }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    const first = await asked(runId);
    await resolveApproval(owner, first.id, "reject", null);
    const second = await vi.waitUntil(
      async () => {
        const next = (
          await listApprovals(owner, { limit: 10, cursor: null, statuses: ["pending"], runId })
        ).data[0];
        return next?.id !== first.id && next;
      },
      { timeout: 60_000 },
    );
    // waitUntil gives what was truthy.
    await resolveApproval(owner, (second as { id: string }).id, "approve", null);
    await ended(runId);
    expect(received.map(({ url }) => url)).toEqual(["/tickets/c"]);
  });

  test("a run that waits outlives its server, and the next one hears the decision", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    const { id } = await asked(runId);
    await executor.stop({ graceMs: 0 });
    await resolveApproval(owner, id, "approve", null);
    expect((await getRun(owner, runId)).status).toBe("running");
    executor = await startExecutor();
    expect((await ended(runId)).status).toBe("completed");
    expect(received).toHaveLength(1);
  });

  test("another account's approval is not there", async () => {
    model.play([{ calls: [call("call_1")] }]);
    const runId = await start(
      await newAgent({ tools: { http: [ticketTool()] } }, "approval_required"),
    );
    const { id } = await asked(runId);
    const stranger = systemPrincipal(newId());
    await expect(getApproval(stranger, id)).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND" });
    await expect(resolveApproval(stranger, id, "approve", null)).rejects.toMatchObject({
      code: "APPROVAL_NOT_FOUND",
    });
    expect(
      (await listApprovals(stranger, { limit: 10, cursor: null, statuses: null, runId: null }))
        .data,
    ).toEqual([]);
    await cancelRun(owner, runId);
  });
});

describe("secrets of connectors", () => {
  const SECRET = "tok-Ünique/1+2=3";
  const withSecret = (allowedHosts: string[] = [], value = "tok-9f8e7d6c5b4a") =>
    createSecret(owner, { name: "CRM_KEY", value, description: null, allowedHosts });
  const secretTool = () => ({ ...ticketTool(), auth_secret: "CRM_KEY" });

  test("a secret travels as a bearer token, and nothing that comes back shows it", async () => {
    await withSecret();
    const value = "tok-9f8e7d6c5b4a";
    const forms = [
      value,
      Buffer.from(value).toString("base64"),
      Buffer.from(value).toString("hex"),
      encodeURIComponent(value),
    ];
    target.answer = {
      status: 418,
      headers: { location: `https://x.example/?k=${value}` },
      body: JSON.stringify({ echo: forms, [value]: { deep: `a${value}b` } }),
    };
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    const runId = await start(await newAgent({ tools: { http: [secretTool()] } }, "full_auto"));
    await ended(runId);
    expect(received[0]?.headers.authorization).toBe(`Bearer ${value}`);
    const everything = JSON.stringify([
      model.seen,
      await eventsOf(runId),
      await getRun(owner, runId),
    ]);
    for (const form of forms) expect(everything).not.toContain(form);
    expect(toldModel()).toContain("[redacted]");
    const { rows } = await postgres().query<{ sealed: string; last_used_at: Date | null }>(
      "SELECT sealed, last_used_at FROM secrets WHERE account_id = $1",
      [owner.accountId],
    );
    expect(rows[0]?.sealed).not.toContain(value);
    expect(rows[0]?.last_used_at).not.toBeNull();
  });

  test("a secret goes in the connector's header, redacted as a number too", async () => {
    await withSecret([], "73519024");
    target.answer = { status: 200, body: '{"number":73519024,"other":1}' };
    model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
    await ended(
      await start(
        await newAgent(
          { tools: { http: [{ ...secretTool(), auth_header: "X-Api-Key" }] } },
          "full_auto",
        ),
      ),
    );
    expect(received[0]?.headers).toMatchObject({ "x-api-key": "73519024" });
    expect(received[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(model.seen)).not.toContain("73519024");
  });

  test.each([
    ["for other hosts", ["api.example.com"], "may not be sent"],
    ["for another port", ["127.0.0.1:1"], "may not be sent"],
  ])("a secret %s is not sent, and neither is the request", async (_, hosts, reason) => {
    await withSecret(hosts);
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [secretTool()] } }, "full_auto")));
    expect(received).toEqual([]);
    expect(toldModel()).toContain(reason);
  });

  test("a secret made or changed meanwhile is taken out of the very next answer", async () => {
    target.answer = {
      status: 200,
      body: '{"echo":["first-value-1234","second-value-5678","third-value-9012"]}',
    };
    const agentId = await newAgent({ tools: { http: [ticketTool()] } }, "full_auto");
    const told = async () => {
      model.play([{ calls: [call("call_1")] }, { text: "Done." }]);
      await ended(await start(agentId));
      return toldModel();
    };
    expect(await told()).toContain("first-value-1234");
    await withSecret([], "first-value-1234");
    expect(await told()).not.toContain("first-value-1234");
    await updateSecret(owner, "CRM_KEY", { value: "second-value-5678" });
    const afterChange = await told();
    expect(afterChange).toContain("first-value-1234");
    expect(afterChange).not.toContain("second-value-5678");
    await createSecret(owner, {
      name: "OTHER_KEY",
      value: "third-value-9012",
      description: null,
      allowedHosts: [],
    });
    expect(await told()).not.toContain("third-value-9012");
  });

  test("a secret that is missing, or that no header can carry, stops the request", async () => {
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [secretTool()] } }, "full_auto")));
    expect(toldModel()).toContain("no secret named CRM_KEY");
    await withSecret([], `${SECRET}\n漢`);
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [secretTool()] } }, "full_auto")));
    expect(toldModel()).toContain("no header can carry");
    expect(received).toEqual([]);
  });

  test("another account's secret of the same name is not used", async () => {
    const { accountId } = await createAccount({ email: `${newId()}@example.test`, password: null });
    await createSecret(systemPrincipal(accountId), {
      name: "CRM_KEY",
      value: "theirs",
      description: null,
      allowedHosts: [],
    });
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [secretTool()] } }, "full_auto")));
    expect(received).toEqual([]);
  });

  test("a target that is not public is refused, and no redirect is followed", async () => {
    const inside = { ...ticketTool(), url: "http://169.254.169.254/latest/{queue}" };
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [inside] } }, "full_auto")));
    expect(toldModel()).toContain("public http or https address");
    target.answer = { status: 302, headers: { location: `${targetUrl}/elsewhere` }, body: "" };
    model.play([{ calls: [call("call_1")] }, { text: "No." }]);
    await ended(await start(await newAgent({ tools: { http: [ticketTool()] } }, "full_auto")));
    expect(received).toHaveLength(1);
    expect(toldModel()).toContain("302");
  });
});

describe("skills of runs", () => {
  const skillText =
    "---\nname: invoice-check\ndescription: Checks invoices.\n---\n\nAdd the lines up with care.\n";

  test("a run is told of enabled skills and reads one, with a file beside it", async () => {
    const { skill } = await readSkillText(owner, skillText);
    await installSkill(
      owner,
      { skill, files: [{ path: "refs/rates.csv", bytes: Buffer.from("vat,19\n") }] },
      false,
    );
    const read = (id: string, args: object) => ({ id, name: "read_skill", args });
    model.play([
      {
        calls: [
          read("r1", { name: "invoice-check" }),
          read("r2", { name: "invoice-check", path: "refs/rates.csv" }),
          read("r3", { name: "csv-analysis" }),
          read("r4", { name: "invoice-check", path: "../x" }),
        ],
      },
      { text: "Done." },
    ]);
    await ended(await start(null));
    const system = JSON.stringify(model.seen[0]?.messages[0]);
    expect(system).toContain("invoice-check: Checks invoices.");
    expect(system).toContain("csv-analysis");
    expect(system).not.toContain("Add the lines up");
    const results =
      model.seen[1]?.messages
        .filter(({ role }) => role === "tool")
        .map(({ content }) => JSON.stringify(content)) ?? [];
    expect(results[0]).toContain("Add the lines up with care.");
    expect(results[0]).toContain("refs/rates.csv");
    expect(results[1]).toContain("vat,19");
    expect(results[2]).toContain("csv-analysis");
    expect(results[3]).toContain("no file");
  });

  test("a disabled skill, and another account's, is neither shown nor read", async () => {
    const { skill } = await readSkillText(owner, skillText);
    const installed = await installSkill(owner, { skill, files: [] }, false);
    await switchSkill(owner, installed.id, false);
    const { accountId } = await createAccount({ email: `${newId()}@example.test`, password: null });
    await installSkill(
      systemPrincipal(accountId),
      { skill: { ...skill, name: "theirs-only" }, files: [] },
      false,
    );
    model.play([
      {
        calls: [
          { id: "r1", name: "read_skill", args: { name: "invoice-check" } },
          { id: "r2", name: "read_skill", args: { name: "theirs-only" } },
        ],
      },
      { text: "Done." },
    ]);
    await ended(await start(null));
    expect(JSON.stringify(model.seen[0])).not.toMatch(/Checks invoices|theirs-only/);
    const results = model.seen[1]?.messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => JSON.stringify(content));
    expect(results).toEqual([
      expect.stringContaining("There is no skill"),
      expect.stringContaining("There is no skill"),
    ]);
  });
});
