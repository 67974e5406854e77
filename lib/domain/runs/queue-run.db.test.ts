import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { listRunMessages } from "@/lib/domain/runs/list-run-messages";
import { messageRun } from "@/lib/domain/runs/message-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";
import type { IfBusy } from "@/lib/model/run/run-message";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

const ALL = { limit: 100, cursor: null };

const more = (first: RunView, text: string, ifBusy: IfBusy) =>
  startTestRun(owner, { conversationId: first.conversationId, input: { text }, ifBusy });

async function complete(runId: string): Promise<void> {
  await database.pool.query(
    "UPDATE runs SET status = 'running', started_at = now() WHERE id = $1",
    [runId],
  );
  const result = { text: `answer of ${runId}`, artifacts: [] };
  expect(await settleRun(runId, { status: "completed", result }, null)).toBe(true);
}

const active = async ({ conversationId }: RunView) =>
  (
    await database.pool.query("SELECT active_run_id AS id FROM conversations WHERE id = $1", [
      conversationId,
    ])
  ).rows[0].id as string | null;

/** Whether the engine has heard of a run. */
const isSent = async ({ id }: RunView) =>
  (await database.pool.query("SELECT 1 FROM engine_events WHERE id = $1", [id])).rowCount === 1;

test("a queued run begins when those before it end, in order of acceptance", async () => {
  const first = await startTestRun(owner);
  const [second, third] = [await more(first, "2", "queue"), await more(first, "3", "queue")];
  expect([second.status, third.status]).toEqual(["pending", "pending"]);
  expect([await isSent(second), await isSent(third)]).toEqual([false, false]);
  expect(await active(first)).toBe(first.id);
  await complete(first.id);
  expect(await active(first)).toBe(second.id);
  expect([await isSent(second), await isSent(third)]).toEqual([true, false]);
  await complete(second.id);
  expect(await active(first)).toBe(third.id);
  await complete(third.id);
  expect(await active(first)).toBeNull();
  const { rows } = await database.pool.query(
    "SELECT run_id, role FROM messages WHERE conversation_id = $1 ORDER BY position",
    [first.conversationId],
  );
  expect(rows.map(({ run_id, role }) => [run_id, role])).toEqual(
    [first, second, third].flatMap(({ id }) => [
      [id, "user"],
      [id, "assistant"],
    ]),
  );
});

test("a queued run is cancelled like any other, and the next begins in its place", async () => {
  const first = await startTestRun(owner);
  const [second, third] = [await more(first, "2", "queue"), await more(first, "3", "queue")];
  expect((await cancelRun(owner, second.id)).run.status).toBe("cancelled");
  expect(await active(first)).toBe(first.id);
  await complete(first.id);
  expect(await active(first)).toBe(third.id);
});

test("of a cancel and the end before it, whichever comes first, the queue goes on", async () => {
  for (let round = 0; round < 10; round++) {
    const first = await startTestRun(owner);
    const [second, third] = [await more(first, "2", "queue"), await more(first, "3", "queue")];
    await database.pool.query(
      "UPDATE runs SET status = 'running', started_at = now() WHERE id = $1",
      [first.id],
    );
    await Promise.all([
      settleRun(first.id, { status: "completed", result: { text: "a", artifacts: [] } }, null),
      cancelRun(owner, second.id),
    ]);
    expect(await active(first)).toBe(third.id);
    await complete(third.id);
  }
});

test("to interrupt cancels the run at work, and comes before those that wait", async () => {
  const first = await startTestRun(owner);
  const second = await more(first, "2", "queue");
  const third = await more(first, "3", "interrupt");
  expect((await getRun(owner, first.id)).status).toBe("cancelled");
  expect(await active(first)).toBe(third.id);
  expect([await isSent(second), await isSent(third)]).toEqual([false, true]);
  await complete(third.id);
  expect(await active(first)).toBe(second.id);
});

test("to steer says it to the run at work; where none is, a run is started", async () => {
  const first = await startTestRun(owner);
  const steered = await more(first, "shorter", "steer");
  expect(steered).toMatchObject({ id: first.id, message: { position: 1 } });
  const { data } = await listRunMessages(owner, first.id, ALL);
  expect(data.map(({ text }) => text)).toEqual(["shorter"]);
  await cancelRun(owner, first.id);
  const second = await more(first, "again", "steer");
  expect(second.id).not.toBe(first.id);
  expect(second).not.toHaveProperty("message");
});

test("in an idle conversation all four begin at once, and reject is the default", async () => {
  for (const ifBusy of ["reject", "queue", "steer", "interrupt"] as const) {
    const first = await startTestRun(owner);
    await expect(
      startTestRun(owner, { conversationId: first.conversationId }),
    ).rejects.toMatchObject({ code: "CONVERSATION_BUSY", extras: { run_id: first.id } });
    await complete(first.id);
    const second = await more(first, "2", ifBusy);
    expect(await active(first)).toBe(second.id);
    expect(await isSent(second)).toBe(true);
    await complete(second.id);
  }
});

test("twenty wait for a conversation; one more is refused by name, without trace", async () => {
  const first = await startTestRun(owner);
  await Promise.all(Array.from({ length: 20 }, (_, n) => more(first, `q${n}`, "queue")));
  await expect(more(first, "one more", "queue")).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("20 runs wait"),
  });
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS runs FROM runs WHERE conversation_id = $1",
    [first.conversationId],
  );
  expect(rows).toEqual([{ runs: 21 }]);
});

test("a message for later is the conversation's next run, logged, once by key", async () => {
  const first = await startTestRun(owner, {
    metadata: { customer: "c_42" },
    maxCreditsMicros: 90_000_000n,
    onBudget: "wait",
  });
  const kept = {
    route: "sendMessage",
    key: "k",
    requestHash: "h",
    answer: (message: object) => ({ status: 202, body: JSON.stringify(message) }),
  };
  const said = { input: "and then the worst", when: "after" as const };
  const sent = await messageRun(owner, first.id, said, kept);
  if ("replayed" in sent || !sent.nextRunId) throw new Error("it becomes a run");
  expect(await messageRun(owner, first.id, said, kept)).toMatchObject({ replayed: true });
  const next = await getRun(owner, sent.nextRunId);
  expect(next).toMatchObject({
    status: "pending",
    conversationId: first.conversationId,
    input: { message: "and then the worst" },
    metadata: { customer: "c_42" },
  });
  const { rows } = await database.pool.query(
    "SELECT max_credits_micros, on_budget FROM runs WHERE id = $1",
    [next.id],
  );
  expect(rows).toEqual([{ max_credits_micros: "90000000", on_budget: "wait" }]);
  const lines = await readRunEvents(next.id, -1, 10, database.pool);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: "run.created", sequence_number: 0 },
    { type: "message.received", sequence_number: 1, when: "after", text: "and then the worst" },
  ]);
  // It waits for nobody's turn: the run itself may end.
  await complete(first.id);
  expect(await active(first)).toBe(next.id);
  await expect(messageRun(owner, first.id, said)).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
});

test("a message for later to a build is refused by kind, and once ended as ended", async () => {
  const agent = await newAgent(owner);
  const said = { input: "and now", when: "after" as const };
  const edit = await requestAgentEdit(owner, agent.id, {
    text: "Be brief.",
    conversationId: null,
    webhookUrl: null,
    releaseNote: null,
  });
  if ("replayed" in edit) throw new Error("there is no key to replay");
  await expect(messageRun(owner, edit.id, said)).rejects.toMatchObject({ code: "CONFLICT" });
  await cancelRun(owner, edit.id);
  await expect(messageRun(owner, edit.id, said)).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
});

test("the books and states agree while runs wait", async () => {
  const first = await startTestRun(owner);
  await more(first, "2", "queue");
  expect(await checkInvariants()).toEqual({ ok: true });
});
