import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { listNotifications } from "@/lib/domain/notifications/list-notifications";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { sendMessage } from "@/lib/domain/runs/send-message";
import { submitToolResults } from "@/lib/domain/runs/submit-tool-results";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";
import { functions } from "@/lib/jobs/functions";
import { startScriptedModel } from "@/lib/jobs/test/scripted-model";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { isTerminal } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";

const model = await startScriptedModel();
const database = await openDomainDatabase({
  env: {
    OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
    OPENAI_COMPATIBLE_MODELS: "scripted",
    LOG_LEVEL: "error",
  },
});

let executor: Awaited<ReturnType<typeof startExecutor>>;
let owner: Principal;

const startExecutor = () => startEmbeddedExecutor({ functions, pool: postgres(), concurrency: 10 });

beforeAll(async () => {
  executor = await startExecutor();
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await model.close();
  await database.close();
});
beforeEach(async () => {
  const { accountId } = await createAccount({
    email: `${newId()}@example.test`,
    password: null,
    credits: 10_000,
  });
  owner = systemPrincipal(accountId);
  model.seen.length = 0;
});

const ASK = {
  id: "call-ask",
  name: "ask_user",
  args: { question: "Which region?", options: ["North", "South"] },
};

async function start(limits: AgentConfig["limits"] = {}): Promise<string> {
  const agentId = newId();
  const draft = {
    name: "A",
    description: null,
    skillContent: "# A",
    config: { version: 1 as const, tools: { builtin: ["ask_user" as const] }, limits },
    configContent: "version: 1\n",
    keyOrder: null,
    dashboardTemplate: null,
    writeAutonomy: "blocked" as const,
  };
  const origin = {
    agentId,
    accountId: owner.accountId,
    runId: newId(),
    version: "1.0.0",
    releaseNote: null,
  };
  await transaction((tx) => insertAgent(tx, origin, draft));
  model.play([{ calls: [ASK] }, { text: "Done." }]);
  // Without a key there is no replay.
  return ((await requestRun(owner, "agent", { agentId, input: { text: "go" } })) as RunView).id;
}

const until = <T>(look: () => Promise<T | false | null | undefined>) =>
  vi.waitUntil(look, { timeout: 60_000, interval: 20 });
const waiting = (runId: string) =>
  until(async () => (await getRun(owner, runId)).requiresAction?.type === "question");
const ended = (runId: string) =>
  until(async () => {
    const run = await getRun(owner, runId);
    return isTerminal(run.status) && run;
  });
const told = () =>
  (model.seen.at(-1)?.messages ?? []).filter(({ role }) => role === "tool").map((m) => m.content);

test("a question waits for the first message, its result, told once; it goes on", async () => {
  const runId = await start();
  await waiting(runId);
  expect((await getRun(owner, runId)).requiresAction).toEqual({
    type: "question",
    ...ASK.args,
  });
  const { rows: events } = await postgres().query(
    `SELECT data -> 'requires_action' AS action FROM account_events WHERE account_id = $1
       AND type = 'run.requires_action'`,
    [owner.accountId],
  );
  expect(events).toEqual([{ action: { type: "question" } }]);
  const { data } = await listNotifications(owner, { limit: 10, cursor: null });
  expect(data).toMatchObject([{ title: "A asks a question", body: "Which region?" }]);
  await expect(
    submitToolResults(owner, runId, [{ toolCallId: ASK.id, succeeded: true, output: "South" }]),
  ).rejects.toMatchObject({ code: "CONFLICT" });
  await sendMessage(owner, runId, "South, please");
  const run = await ended(runId);
  expect(run).toMatchObject({ status: "completed", requiresAction: null });
  expect(told()).toEqual([JSON.stringify({ answer: "South, please" })]);
  expect(JSON.stringify(model.seen.at(-1)?.messages).split("South, please")).toHaveLength(2);
  const lines = (await readRunEvents(runId, -1, 100)).map((line) => JSON.parse(line));
  expect(
    lines.filter(({ type }) => type === "question.asked" || type === "message.received"),
  ).toMatchObject([
    { type: "question.asked", question: "Which region?", options: ["North", "South"] },
    { type: "message.received", text: "South, please", tool_call_id: ASK.id },
  ]);
});

test("of two messages at once one is the answer, the other is shown next turn", async () => {
  const runId = await start();
  await waiting(runId);
  await Promise.all(["South", "and quickly"].map((text) => sendMessage(owner, runId, text)));
  await ended(runId);
  const shown = JSON.stringify(model.seen.at(-1)?.messages);
  expect(shown.split("and quickly")).toHaveLength(2);
  expect(told()).toHaveLength(1);
});

test("a question unanswered in time counts as such, and the run goes on", async () => {
  const runId = await start({ approval_timeout_seconds: 1 });
  expect(await ended(runId)).toMatchObject({ status: "completed" });
  expect(String(told()[0])).toContain("Nobody answered in time");
});

test("a question asked after the wait for its answer began has its whole time", async () => {
  const runId = await start({ approval_timeout_seconds: 4 });
  await waiting(runId);
  await postgres().query(
    "UPDATE client_tool_calls SET expires_at = now() + interval '1 hour' WHERE run_id = $1",
    [runId],
  );
  await until(async () => {
    const { rowCount } = await postgres().query(
      `SELECT 1 FROM engine_steps s JOIN engine_runs r ON r.id = s.run_id WHERE r.event_id = $1
         AND s.name LIKE 'expire-%' AND s.done`,
      [runId],
    );
    // The wait is over, and the next one has begun.
    return rowCount === 2;
  });
  await sendMessage(owner, runId, "South");
  expect(await ended(runId)).toMatchObject({ status: "completed" });
  expect(told()).toEqual([JSON.stringify({ answer: "South" })]);
});

test("a cancel ends a question, and nobody can answer it any more", async () => {
  const runId = await start();
  await waiting(runId);
  await cancelRun(owner, runId);
  expect((await getRun(owner, runId)).requiresAction).toBeNull();
  await expect(sendMessage(owner, runId, "South")).rejects.toMatchObject({
    code: "RUN_NOT_ACTIVE",
  });
});

test("a question outlives the process that asked it", async () => {
  const runId = await start();
  await waiting(runId);
  await executor.stop({ graceMs: 1_000 });
  await sendMessage(owner, runId, "North");
  executor = await startExecutor();
  expect(await ended(runId)).toMatchObject({ status: "completed" });
  expect(told()).toEqual([JSON.stringify({ answer: "North" })]);
});

test("queued runs are begun by the engine one after the other", async () => {
  const runId = await start();
  await waiting(runId);
  const { conversationId } = await getRun(owner, runId);
  model.play([{ text: "Done." }, { text: "second" }, { text: "third" }]);
  const queue = async (text: string) =>
    (await requestRun(owner, "agent", {
      input: { text },
      conversationId,
      ifBusy: "queue",
    })) as RunView; // without a key there is no replay
  const [second, third] = [await queue("2"), await queue("3")];
  await sendMessage(owner, runId, "North");
  expect((await ended(third.id)).result?.text).toBe("third");
  expect((await ended(second.id)).result?.text).toBe("second");
  expect(JSON.stringify(model.seen.at(-1)?.messages)).toContain("second");
});
