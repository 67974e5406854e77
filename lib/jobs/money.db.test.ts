import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { getAccountUsage } from "@/lib/domain/account/get-account-usage";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { chargeRun } from "@/lib/domain/credits/ledger";
import type { Principal } from "@/lib/domain/principal";
import { loadRun } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { type RunInput, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { agentsPort } from "@/lib/domain/super-agent/agents-port";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { env } from "@/lib/env";
import { cancelChildrenOfEnded } from "@/lib/jobs/cancel-children";
import { executeRun } from "@/lib/jobs/execute-run";
import { ServiceError } from "@/lib/model/errors";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros } from "@/lib/model/run/run-result";
import { AGENT_ROUTE_KINDS, type RunKind, SUPER_AGENT_KINDS } from "@/lib/model/run/run-status";
import { transaction } from "@/lib/platform/postgres";
import { priceUsage } from "@/lib/runtime/models/prices";
import { promptTokensAtMost } from "@/lib/runtime/models/read-turn";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "cheap,dear",
  DEFAULT_MODEL: "compatible/cheap",
  OPENAI_COMPATIBLE_PRICES: '{"dear": {"input": 10000, "output": 20000}}',
};
const CHEAP = "compatible/cheap";
const DEAR = "compatible/dear";

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
/** What each model says; it is asked with the run's mark, a text in its input. */
let script: (
  seen: SeenTurn & { model: string; turn: number },
) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  for (const id of [CHEAP, DEAR]) {
    const turnOf = ({ prompt }: SeenTurn) =>
      prompt.filter((message) => message.role === "assistant").length;
    injectModel(scriptedModel(id, (seen) => script({ ...seen, model: id, turn: turnOf(seen) })));
  }
  executor = await startEmbeddedExecutor({
    functions: [executeRun, cancelChildrenOfEnded],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account({ superAgentAccess: true });
  script = () => ({ text: "ok" });
});
afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

const wallet = async (credits: number) => {
  await database.pool.query(
    `WITH before AS (SELECT available_micros AS had FROM accounts WHERE id = $1),
       entry AS (INSERT INTO ledger_entries (id, account_id, kind, amount_micros)
         SELECT gen_random_uuid(), $1, 'adjustment', $2 - had FROM before)
     UPDATE accounts SET available_micros = $2 WHERE id = $1`,
    [owner.accountId, toMicros(credits)],
  );
};

async function start(
  more: Partial<RunInput> = {},
  kind: "agent" | "super_agent" = "agent",
): Promise<RunView> {
  const run = await requestRun(owner, kind, {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: CHEAP,
    metadata: {},
    maxCreditsMicros: null,
    ...more,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

async function end({ id }: Pick<RunView, "id">, kinds?: readonly RunKind[]): Promise<RunView> {
  for await (const _ of followRunLog(id, { after: -1, signal: AbortSignal.timeout(50_000) }));
  return getRun(owner, id, kinds);
}

interface Sums {
  available: bigint;
  held: bigint;
  ledger: bigint;
  used: bigint;
  priced: bigint;
}

async function sums(): Promise<Sums> {
  const { rows } = await database.pool.query<Record<keyof Sums, string>>(
    `SELECT available_micros AS available,
       (SELECT coalesce(sum(amount_micros), 0) FROM credit_holds WHERE account_id = a.id) AS held,
       (SELECT sum(amount_micros) FROM ledger_entries WHERE account_id = a.id) AS ledger,
       (SELECT coalesce(sum(credits_micros), 0) FROM run_usage WHERE account_id = a.id) AS used,
       (SELECT coalesce(sum(price_micros), 0) FROM run_usage WHERE account_id = a.id) AS priced
     FROM accounts a WHERE id = $1`,
    [owner.accountId],
  );
  const [row] = rows;
  if (!row) throw new Error("there is no such account");
  return {
    available: BigInt(row.available),
    held: BigInt(row.held),
    ledger: BigInt(row.ledger),
    used: BigInt(row.used),
    priced: BigInt(row.priced),
  };
}

/** What a start is told that it takes, from an empty wallet. */
async function requiredFor(accept: () => Promise<unknown>): Promise<bigint> {
  await database.pool.query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
    owner.accountId,
  ]);
  const refusal: unknown = await accept().catch((error: unknown) => error);
  await database.pool.query("UPDATE accounts SET available_micros = 1000000000 WHERE id = $1", [
    owner.accountId,
  ]);
  if (!(refusal instanceof ServiceError)) throw new Error("nothing was refused");
  return toMicros(refusal.extras.required ?? 0);
}

/** The invariants of an account whose runs have all ended. */
async function expectBalanced(granted: number): Promise<void> {
  const { available, held, ledger, used } = await sums();
  expect(held).toBe(0n);
  expect(available).toBe(ledger);
  expect(toMicros(granted) - used).toBe(available);
  expect(available).toBeGreaterThanOrEqual(0n);
  const { rows } = await database.pool.query<{ run_id: string; used: string; charged: string }>(
    `SELECT run_id, sum(credits_micros) AS used,
       (SELECT -sum(amount_micros) FROM ledger_entries l WHERE l.run_id = u.run_id) AS charged
     FROM run_usage u WHERE account_id = $1 GROUP BY run_id`,
    [owner.accountId],
  );
  for (const run of rows) expect(run.charged).toBe(run.used);
  expect(toMicros((await getAccountUsage(owner)).used24h)).toBe(used);
}

/** What the calls that are being made may come to, by the lengths that they were told. */
const priceOf = (
  { prompt, tools, maxOutputTokens = Number.POSITIVE_INFINITY }: SeenTurn,
  model = CHEAP,
) =>
  priceUsage(
    model,
    {
      inputTokens: promptTokensAtMost({ prompt, tools }),
      outputTokens: maxOutputTokens,
      cachedInputTokens: 0,
    },
    env(),
  );

test("a wallet of 26 credits buys 26 credits' worth of calls, however many ask", async () => {
  await wallet(26);
  let uncovered = 0;
  script = async (seen) => {
    const { held } = await sums();
    if (seen.maxOutputTokens === undefined || held < priceOf(seen)) uncovered += 1;
    return { text: "much", usage: { input: 1_000, output: 50_000 } };
  };
  const starts = await Promise.allSettled(Array.from({ length: 12 }, () => start()));
  const accepted = starts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  for (const each of starts)
    if (each.status === "rejected")
      expect(each.reason).toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  expect(accepted.length).toBeGreaterThan(0);
  for (const run of accepted) expect(["completed", "failed"]).toContain((await end(run)).status);
  expect(uncovered).toBe(0);
  await expectBalanced(26);
  const { used, priced } = await sums();
  expect(used).toBeLessThanOrEqual(toMicros(26));
  // What the vendor reports beyond what it was told is nobody's debt, and can be seen.
  expect(priced).toBeGreaterThan(used);
});

test("runs with max_credits below their first turn are refused, and store nothing", async () => {
  await wallet(1);
  const starts = await Promise.allSettled(
    Array.from({ length: 12 }, () => start({ maxCreditsMicros: 1n })),
  );
  for (const each of starts) {
    if (each.status === "fulfilled") throw new Error("a run was started");
    expect(each.reason).toMatchObject({
      code: "INSUFFICIENT_CREDITS",
      extras: { available: 1, max_credits: 0.000001 },
    });
    expect(each.reason.extras.required).toBeGreaterThan(1);
    expect(each.reason.message).toContain("max_credits");
  }
  expect(
    (await database.pool.query("SELECT 1 FROM runs WHERE account_id = $1", [owner.accountId]))
      .rowCount,
  ).toBe(0);
  await expectBalanced(1);
});

test("what any kind of run reserves when accepted covers its first turn", async () => {
  const agent = await insertTestAgent(owner, { config: { model: CHEAP } });
  const first: bigint[] = [];
  script = (seen) => {
    first.push(priceOf({ ...seen, maxOutputTokens: 500 }));
    throw new RunFailure("EXECUTION_FAILED", "enough was seen");
  };
  const build = { conversationId: null, webhookUrl: null };
  const text = "A weekly report of all orders, with a chart.";
  const reserved: bigint[] = [];
  for (const accept of [
    () => start(),
    () => start({ agentId: agent.id }),
    () => start({}, "super_agent"),
    () => requestAgentCreation(owner, { text, ...build }),
    () => requestAgentEdit(owner, agent.id, { text, ...build, releaseNote: null }),
  ]) {
    const run = await accept();
    if ("replayed" in run) throw new Error("there is no key to replay");
    await end(run, [...SUPER_AGENT_KINDS, ...AGENT_ROUTE_KINDS]);
    reserved.push(await requiredFor(accept));
  }
  for (const [index, price] of first.entries())
    expect(reserved[index]).toBeGreaterThanOrEqual(price);
  expect(first).toHaveLength(5);
});

test("the answer is cut to what the run may still cost; unpayable turns are not", async () => {
  const seenLengths: number[] = [];
  script = (seen) => {
    seenLengths.push(seen.maxOutputTokens ?? 0);
    expect(priceOf(seen)).toBeLessThanOrEqual(toMicros(10));
    return {
      call: { name: "todo", input: { items: [{ text: "x" }] } },
      usage: { input: 3_000, output: seen.maxOutputTokens ?? 0 },
    };
  };
  const run = await end(await start({ maxCreditsMicros: toMicros(10) }));
  expect(run).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" } });
  expect(run.usage.credits).toBeLessThanOrEqual(10);
  expect(seenLengths).toHaveLength(1);
  expect(seenLengths[0]).toBeLessThan(5_000);
  await expectBalanced(100_000);
});

test("an answer that cost more than its run may is paid up to that, and ends the run", async () => {
  script = () => ({ text: "the answer", usage: { input: 200_000, output: 200_000 } });
  const run = await end(await start({ maxCreditsMicros: toMicros(7) }));
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "BUDGET_EXCEEDED" },
    usage: { credits: 7 },
  });
  expect((await sums()).priced).toBe(toMicros(600));
  await expectBalanced(100_000);
});

test("max_credits of an agent's config holds at a run's start and for what it spends", async () => {
  const agentWith = (max_credits: number) =>
    insertTestAgent(owner, { config: { model: CHEAP, limits: { max_credits } } }).then(
      ({ id }) => ({ agentId: id, model: null }),
    );
  await expect(agentWith(0.5).then(start)).rejects.toMatchObject({
    code: "INSUFFICIENT_CREDITS",
    extras: { max_credits: 0.5 },
  });
  script = () => ({
    call: { name: "todo", input: { items: [{ text: "x" }] } },
    usage: { input: 4_000, output: 0 },
  });
  const run = await end(await start(await agentWith(12)));
  expect(run).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" } });
  expect(run.usage.credits).toBeLessThanOrEqual(12);
  expect(run.usage.credits).toBeGreaterThan(0);
});

test("a wallet that runs out ends a run before the call that it cannot pay", async () => {
  await wallet(40);
  let calls = 0;
  script = () => {
    calls += 1;
    return {
      call: { name: "todo", input: { items: [{ text: "x" }] } },
      usage: { input: 15_000, output: 0 },
    };
  };
  const run = await end(await start());
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "INSUFFICIENT_CREDITS" },
    usage: { credits: 40 },
  });
  expect(calls).toBe(3);
  await expectBalanced(40);
});

test("a fallback is covered by its own price, or the run ends before it is called", async () => {
  const agent = await insertTestAgent(owner, { config: { model: CHEAP, fallback_models: [DEAR] } });
  const asked: string[] = [];
  script = (seen) => {
    asked.push(seen.model);
    if (seen.model === CHEAP) throw new RunFailure("EXECUTION_FAILED", "refused");
    expect(priceOf(seen, DEAR)).toBeLessThanOrEqual(toMicros(100));
    return { text: "from the dear one" };
  };
  const request = { agentId: agent.id, model: null };
  expect(await end(await start({ ...request, maxCreditsMicros: toMicros(100) }))).toMatchObject({
    status: "completed",
  });
  expect(await end(await start({ ...request, maxCreditsMicros: toMicros(8) }))).toMatchObject({
    status: "failed",
    error: { code: "BUDGET_EXCEEDED" },
  });
  expect(asked).toEqual([CHEAP, DEAR, CHEAP]);
  await expectBalanced(100_000);
});

test("between its calls a run holds no more than its next turn costs at least", async () => {
  const held: bigint[] = [];
  script = async (seen) => {
    held.push((await sums()).held);
    return seen.turn === 0
      ? { call: { name: "todo", input: { items: [{ text: "x" }] } } }
      : { text: "done" };
  };
  await database.pool.query(`
    CREATE TABLE holds_seen (micros bigint);
    CREATE FUNCTION note_hold() RETURNS trigger
      LANGUAGE plpgsql
      AS $$ BEGIN INSERT INTO holds_seen VALUES (NEW.amount_micros); RETURN NULL; END $$;
    CREATE TRIGGER note_hold AFTER UPDATE
      ON credit_holds FOR EACH ROW EXECUTE FUNCTION note_hold()`);
  await end(await start());
  const { rows } = await database.pool
    .query<{ micros: string }>("DROP TRIGGER note_hold ON credit_holds; SELECT 1")
    .then(() => database.pool.query("SELECT micros FROM holds_seen"));
  // Covered and given back, twice.
  const [first, between, second] = rows.map(({ micros }) => BigInt(micros));
  expect(held).toEqual([first, second]);
  expect(first).toBeGreaterThan(toMicros(16));
  expect(between).toBeLessThan(toMicros(8));
  await expectBalanced(100_000);
});

test("a call that is charged again is charged once", async () => {
  script = () => new Promise<ScriptedTurn>(() => {});
  const run = await start();
  const charge = {
    ...{
      runId: run.id,
      accountId: owner.accountId,
      agentId: null,
      maxMicros: null,
      rootId: null,
      keepMicros: 0n,
    },
    ...{ stepKey: "turn-9", model: CHEAP, capability: "chat" as const, units: 0, micros: 5n },
    ...{ inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 },
  };
  for (let again = 0; again < 3; again += 1)
    expect(await transaction((tx) => chargeRun(tx, charge))).toBe(5n);
  expect((await sums()).used).toBe(5n);
  await cancelRun(owner, run.id);
  await end(run);
  // A call that comes home after the end is the operator's.
  expect(await transaction((tx) => chargeRun(tx, { ...charge, stepKey: "turn-10" }))).toBe(0n);
  await expectBalanced(100_000);
});

test("a super-agent's run and all it starts never cost more than its max_credits", async () => {
  const agent = await insertTestAgent(owner, { config: { model: CHEAP } });
  const spend: ScriptedTurn = {
    call: { name: "todo", input: { items: [{ text: "x" }] } },
    usage: { input: 4_000, output: 500 },
  };
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  script = async ({ system }) => {
    if (!system.includes("super-agent")) return spend;
    await released;
    return { text: "done", usage: { input: 100_000, output: 100_000 } };
  };
  const limit = 60;
  const parent = await start({ maxCreditsMicros: toMicros(limit) }, "super_agent");
  await database.pool.query("UPDATE accounts SET super_agent_access = true WHERE id = $1", [
    owner.accountId,
  ]);
  const loaded = await loadRun(parent.id);
  const started = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) =>
      agentsPort(loaded, { toolCallId: `call_${n}`, isResumed: true }).run(agent.id, {}),
    ),
  );
  const children = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(children.length).toBeGreaterThan(1);
  for (const child of children)
    expect((await end({ id: child.run_id })).error?.code).toMatch(
      /^(BUDGET_EXCEEDED|STEP_LIMIT_EXCEEDED)$/,
    );
  release();
  await end(parent, SUPER_AGENT_KINDS);
  expect((await sums()).used).toBeLessThanOrEqual(toMicros(limit));
  await expectBalanced(100_000);
});

test("after runs of every end at once balance, ledger, usage and breakdown agree", async () => {
  await wallet(400);
  const agent = await insertTestAgent(owner, { config: { model: CHEAP, fallback_models: [DEAR] } });
  script = async ({ model, call, turn, maxOutputTokens = 0 }) => {
    if (call % 5 === 4 && model === CHEAP) throw new RunFailure("EXECUTION_FAILED", "refused");
    const usage = { input: 1_500, output: call % 3 === 0 ? maxOutputTokens * 2 : 100 };
    return turn < 2
      ? { call: { name: "todo", input: { items: [{ text: "x" }] } }, usage }
      : { text: "done", usage };
  };
  const requests = Array.from({ length: 24 }, (_, n) => ({
    ...(n % 3 === 0 ? { agentId: agent.id, model: null } : {}),
    ...(n % 4 === 1 ? { maxCreditsMicros: toMicros(9) } : {}),
  }));
  const starts = await Promise.allSettled(requests.map((request) => start(request)));
  const runs = starts.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  await Promise.all(runs.filter((_, n) => n % 6 === 5).map(({ id }) => cancelRun(owner, id)));
  for (const run of runs) {
    const { usage } = await end(run);
    expect(toMicros(usage.credits)).toBe(
      usage.breakdown.reduce((sum, row) => sum + toMicros(row.credits), 0n),
    );
  }
  await expectBalanced(400);
});
