import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getConversation } from "@/lib/domain/conversations/conversation-view";
import { listConversations } from "@/lib/domain/conversations/list-conversations";
import { coverCall } from "@/lib/domain/credits/ledger";
import { getEndUser, listEndUsers } from "@/lib/domain/end-users/end-user-view";
import { setEndUserLimits } from "@/lib/domain/end-users/set-end-user-limits";
import { memoryPort } from "@/lib/domain/execution/tools/tool-ports";
import type { Principal } from "@/lib/domain/principal";
import { listRuns, type RunFilter } from "@/lib/domain/runs/list-runs";
import { replayRun } from "@/lib/domain/runs/replay-run";
import type { RunInput } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
const PAGE = { limit: 20, cursor: null };
const ALL: RunFilter = {
  kinds: ["agent", "app"],
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

/** A run that has ended, so that its conversation goes on. */
async function ended(by: Principal, said: Partial<RunInput>): Promise<RunView> {
  const run = await startTestRun(by, said);
  await end(run);
  return run;
}

async function end({ id, accountId, conversationId }: RunView): Promise<void> {
  await database.pool.query(
    "UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1 AND account_id = $2",
    [id, accountId],
  );
  await database.pool.query("UPDATE conversations SET active_run_id = NULL WHERE id = $1", [
    conversationId,
  ]);
  await database.pool.query(
    `UPDATE accounts SET available_micros = available_micros + (SELECT amount_micros
       FROM credit_holds WHERE run_id = $1) WHERE id = $2`,
    [id, accountId],
  );
  await database.pool.query("DELETE FROM credit_holds WHERE run_id = $1", [id]);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: { code?: string }) => String(error.code ?? error),
  );

test("end_user and metadata.end_user are one: either fills the other, or refuses it", async () => {
  const field = await startTestRun(owner, { endUser: "ada", metadata: { topic: "t" } });
  const pair = await startTestRun(owner, { metadata: { end_user: "ada" } });
  const both = await startTestRun(owner, { endUser: "ada", metadata: { end_user: "ada" } });
  for (const { id, endUser, metadata } of [field, pair, both]) {
    const stored = await getRun(owner, id);
    expect([endUser, stored.endUser]).toEqual(["ada", "ada"]);
    expect(stored.metadata).toEqual(metadata);
    expect(metadata).toMatchObject({ end_user: "ada" });
  }
  await expect(
    startTestRun(owner, { endUser: "ada", metadata: { end_user: "eve" } }),
  ).rejects.toMatchObject({
    code: "INVALID_INPUT",
    extras: { details: [{ path: "end_user", message: expect.any(String) }] },
  });
  const nobody = await startTestRun(owner, { metadata: { end_user: "" } });
  expect((await getRun(owner, nobody.id)).endUser).toBeNull();
});

test("runs and conversations are found by their person, of the own account alone", async () => {
  const stranger = await database.account();
  const mine = await startTestRun(owner, { endUser: "ada" });
  await startTestRun(owner, { endUser: "ad" });
  await startTestRun(owner, {});
  const theirs = await startTestRun(stranger, { endUser: "ada" });
  const found = async (by: Principal) =>
    (await listRuns(by, PAGE, { ...ALL, endUser: "ada" })).data.map(({ id }) => id);
  expect(await found(owner)).toEqual([mine.id]);
  expect(await found(stranger)).toEqual([theirs.id]);
  const conversations = await listConversations(owner, PAGE, null, "ada");
  expect(conversations.data.map(({ id }) => id)).toEqual([mine.conversationId]);
  expect((await listEndUsers(owner, PAGE)).data.map(({ endUser }) => endUser)).toEqual([
    "ad",
    "ada",
  ]);
  expect((await getEndUser(stranger, "ada")).counts.runs).toBe(1);
  expect(await codeOf(getEndUser(stranger, "ad"))).toBe("END_USER_NOT_FOUND");
});

test("a conversation is one's, or the first's who continues it; others find none", async () => {
  const first = await ended(owner, { endUser: "ada" });
  const conversationId = first.conversationId ?? "";
  expect(await codeOf(startTestRun(owner, { conversationId, endUser: "eve" }))).toBe(
    "CONVERSATION_NOT_FOUND",
  );
  const unnamed = await ended(owner, { conversationId });
  expect(unnamed).toMatchObject({ endUser: "ada", metadata: {} });
  expect(await getRun(owner, unnamed.id)).toMatchObject({ endUser: "ada", metadata: {} });

  const nobodys = await ended(owner, {});
  const claimed = nobodys.conversationId ?? "";
  await ended(owner, { conversationId: claimed, endUser: "ada" });
  expect((await getConversation(owner, claimed)).endUser).toBe("ada");
  expect((await getRun(owner, nobodys.id)).endUser).toBe("ada");
  expect(await codeOf(startTestRun(owner, { conversationId: claimed, endUser: "eve" }))).toBe(
    "CONVERSATION_NOT_FOUND",
  );
});

test("of two people who continue nobody's conversation at once, one has it", async () => {
  const { conversationId } = await ended(owner, {});
  const started = await Promise.all(
    ["ada", "eve"].map((endUser) => codeOf(startTestRun(owner, { conversationId, endUser }))),
  );
  expect(started.filter((code) => code === "none")).toHaveLength(1);
  expect(["CONVERSATION_NOT_FOUND", "CONVERSATION_BUSY"]).toContain(
    started.find((code) => code !== "none"),
  );
});

test("notes about one person are shown to no other's run, whichever field names them", async () => {
  const { id: agentId } = await newAgent(owner);
  const port = async (said: Partial<RunInput>) =>
    memoryPort(await startTestRun(owner, { agentId, ...said }), agentId);
  await (await port({ endUser: "ada" })).save("Likes tea.", "call-1");
  const seen = async (said: Partial<RunInput>) =>
    (await (await port(said)).list(null)).map(({ text }) => text);
  expect(await seen({ metadata: { end_user: "ada" } })).toEqual(["Likes tea."]);
  expect(await seen({ endUser: "eve" })).toEqual([]);
  expect(await seen({})).toEqual([]);
});

test("a note is not saved for nobody when its run is gone", async () => {
  const { id: agentId } = await newAgent(owner);
  const port = memoryPort({ id: newId(), accountId: owner.accountId }, agentId);
  await expect(port.save("Likes tea.", "call-1")).rejects.toThrow();
  const { rowCount } = await database.pool.query(
    "SELECT 1 FROM agent_memories WHERE account_id = $1",
    [owner.accountId],
  );
  expect(rowCount).toBe(0);
});

test("a replay is for the person of its run, unless it names another", async () => {
  const run = await ended(owner, { endUser: "ada" });
  const again = async (changes: Partial<Parameters<typeof replayRun>[2]>) => {
    const replayed = await replayRun(owner, run.id, { version: null, ...changes });
    if ("replayed" in replayed) throw new Error("it has no key");
    return getRun(owner, replayed.id);
  };
  expect(await again({})).toMatchObject({ endUser: "ada", metadata: { end_user: "ada" } });
  expect(await again({ endUser: "eve" })).toMatchObject({
    endUser: "eve",
    metadata: { end_user: "eve" },
  });
  expect(await again({ metadata: { end_user: "eve" } })).toMatchObject({ endUser: "eve" });
  const renamed = await again({ metadata: {} });
  expect(renamed).toMatchObject({ endUser: "ada", metadata: {} });
  expect((await getConversation(owner, renamed.conversationId ?? "")).endUser).toBe("ada");
});

test("the runs of a schedule are for its person", async () => {
  const { id: agentId } = await newAgent(owner);
  const schedule = await createSchedule(owner, agentId, {
    cron: "0 9 * * *",
    input: { text: "go" },
    endUser: "ada",
  });
  expect(schedule.endUser).toBe("ada");
  await database.pool.query(
    "UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE id = $1",
    [schedule.id],
  );
  await fireSchedules();
  const { data } = await listRuns(owner, PAGE, { ...ALL, endUser: "ada" });
  expect(data).toMatchObject([
    { metadata: { schedule_id: schedule.id, end_user: "ada" }, endUser: "ada" },
  ]);
});

/** A run that was charged so much today. */
async function charged(said: Partial<RunInput>, credits: number, by = owner): Promise<RunView> {
  const run = await ended(by, said);
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, end_user, model, capability, input_tokens,
       output_tokens, cached_input_tokens, units, credits_micros)
     VALUES ($1, 'turn-0', $2, $3, 'm', 'chat', 1, 1, 0, 0, $4)`,
    [run.id, run.accountId, run.endUser, credits * 1e6],
  );
  return run;
}

test("a person's day is bounded at acceptance, whoever takes rest; null clears it", async () => {
  const stranger = await database.account();
  await setEndUserLimits(owner, "ada", { maxCreditsPerDay: 10 });
  await charged({ endUser: "ada" }, 10);
  await charged({ endUser: "ada" }, 10, stranger);
  await expect(startTestRun(owner, { endUser: "ada" })).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
    message: expect.stringContaining("of the 10 that they may use a day"),
    extras: { available: 0, required: expect.any(Number) },
  });
  for (const [by, endUser] of [
    [owner, "eve"],
    [owner, null],
    [stranger, "ada"],
  ] as const)
    await startTestRun(by, { endUser });
  expect(await getEndUser(owner, "ada")).toMatchObject({
    maxCreditsPerDay: 10,
    usage: { creditsToday: 10, credits30Days: 10 },
  });
  await setEndUserLimits(owner, "ada", { maxCreditsPerDay: null });
  await startTestRun(owner, { endUser: "ada" });
});

test("yesterday's credits do not count", async () => {
  await setEndUserLimits(owner, "ada", { maxCreditsPerDay: 10 });
  const run = await charged({ endUser: "ada" }, 10);
  await database.pool.query(
    `UPDATE run_usage SET created_at = date_trunc('day', now(), 'UTC') - interval '1 second'
     WHERE run_id = $1`,
    [run.id],
  );
  await startTestRun(owner, { endUser: "ada" });
});

test("of many starts at once exactly as many are accepted as the day has room for", async () => {
  const first = await startTestRun(owner, { endUser: "ada" });
  const { rows } = await database.pool.query<{ held: string }>(
    "SELECT amount_micros AS held FROM credit_holds WHERE run_id = $1",
    [first.id],
  );
  await end(first);
  const each = Number(rows[0]?.held) / 1e6;
  await setEndUserLimits(owner, "ada", { maxCreditsPerDay: each * 3.5 });
  const started = await Promise.all(
    Array.from({ length: 8 }, () => codeOf(startTestRun(owner, { endUser: "ada" }))),
  );
  expect(started.filter((code) => code === "none")).toHaveLength(3);
  expect(started.filter((code) => code === "INSUFFICIENT_CREDITS")).toHaveLength(5);
});

test("a paid call is covered within what is left of the person's day, no further", async () => {
  const run = await startTestRun(owner, { endUser: "ada" });
  await charged({ endUser: "ada" }, 4);
  await setEndUserLimits(owner, "ada", { maxCreditsPerDay: 10 });
  const payer = { runId: run.id, accountId: owner.accountId, maxMicros: null, rootId: null };
  expect(await coverCall(payer, 1_000_000n, 50_000_000n)).toBe(6_000_000n);
  await expect(coverCall(payer, 7_000_000n, 50_000_000n)).rejects.toMatchObject({
    code: "BUDGET_EXCEEDED",
  });
});

test("lists and sums of one person are read by an index, however much others have", async () => {
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, end_user, input, model, completed_at)
     SELECT gen_random_uuid(), $1, 'agent', 'completed', CASE n % 1000 WHEN 0 THEN 'ada'
       ELSE 'u' || n % 977 END, '{}', 'm', now() FROM generate_series(1, 40000) n`,
    [owner.accountId],
  );
  await database.pool.query(
    `INSERT INTO run_usage (run_id, step_key, account_id, end_user, model, capability, input_tokens,
       output_tokens, cached_input_tokens, units, credits_micros)
     SELECT id, 'turn-0', account_id, end_user, 'm', 'chat', 1, 1, 0, 0, 5 FROM runs
     WHERE account_id = $1`,
    [owner.accountId],
  );
  await database.pool.query("ANALYZE runs, run_usage");
  const plan = async (text: string) =>
    JSON.stringify(
      (await database.pool.query(`EXPLAIN (FORMAT JSON) ${text}`, [owner.accountId, "ada"])).rows,
    );
  expect(
    await plan(
      `SELECT * FROM runs r WHERE r.account_id = $1 AND r.end_user = $2 ORDER BY r.id DESC
       LIMIT 21`,
    ),
  ).toContain("runs_account_id_end_user_id_idx");
  expect(
    await plan(
      `SELECT sum(credits_micros) FROM run_usage u WHERE u.account_id = $1 AND u.end_user = $2
         AND u.created_at >= date_trunc('day', now(), 'UTC')`,
    ),
  ).toContain("run_usage_account_id_end_user_created_at_idx");
});
