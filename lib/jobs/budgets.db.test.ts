import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { updateAccount } from "@/lib/domain/account/update-account";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { getEndUser } from "@/lib/domain/end-users/end-user-view";
import { setEndUserLimits } from "@/lib/domain/end-users/set-end-user-limits";
import { endBudgetWait } from "@/lib/domain/execution/permission/budget-wait";
import type { Principal } from "@/lib/domain/principal";
import { loadRun, raiseRunLimit, requestBudget, runTurn } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { type RunInput, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { fireSchedules } from "@/lib/domain/schedules/fire-schedules";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { testRunInput } from "@/lib/domain/test/start-test-run";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { readRunEvents } from "@/lib/engine/events/run-log-writer";
import { cancelChildrenOfEnded } from "@/lib/jobs/cancel-children";
import { executeRun } from "@/lib/jobs/execute-run";
import { resumeRuns } from "@/lib/jobs/resume-runs";
import { budgetActionOf, suggestedLimit } from "@/lib/model/run/on-budget";
import { RunFailure } from "@/lib/model/run/run-failure";
import { toMicros } from "@/lib/model/run/run-result";
import { AGENT_ROUTE_KINDS, type RunKind, SUPER_AGENT_KINDS } from "@/lib/model/run/run-status";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const settings = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "cheap,dear",
  DEFAULT_MODEL: "compatible/cheap",
  OPENAI_COMPATIBLE_PRICES: '{"dear": {"input": 10000, "output": 20000}}',
};
const CHEAP = "compatible/cheap";
const DEAR = "compatible/dear";
const WALLET = 100_000;

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let calls: { model: string; turn: number; system: string }[];
let script: (
  seen: SeenTurn & { model: string; turn: number },
) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  for (const id of [CHEAP, DEAR])
    injectModel(
      scriptedModel(id, (seen) => {
        const turn = seen.prompt.filter(({ role }) => role === "assistant").length;
        calls.push({ model: id, turn, system: seen.system });
        return script({ ...seen, model: id, turn });
      }),
    );
  executor = await startEmbeddedExecutor({
    functions: [executeRun, cancelChildrenOfEnded, resumeRuns],
    pool: database.pool,
    concurrency: 20,
  });
});
beforeEach(async () => {
  owner = await database.account({ superAgentAccess: true });
  await database.pool.query("UPDATE accounts SET super_agent_access = true WHERE id = $1", [
    owner.accountId,
  ]);
  calls = [];
  script = steps(3);
});
afterAll(async () => {
  // The books of everything that was done here agree.
  expect(await checkInvariants(0)).toEqual({ ok: true });
  await executor.stop({ graceMs: 1_000 });
  await database.close();
});

/** Turns of 4.2 credits each that call a tool, and then an answer of 1.2. */
const steps =
  (count: number, input = 4_000) =>
  ({ turn }: { turn: number }): ScriptedTurn =>
    turn < count
      ? {
          call: { name: "todo", input: { items: [{ text: `${turn}` }] } },
          usage: { input, output: 100 },
        }
      : { text: "done", usage: { input: 1_000, output: 100 } };

async function start(
  more: Partial<RunInput> = {},
  kind: "agent" | "super_agent" = "agent",
): Promise<RunView> {
  const run = await requestRun(
    owner,
    kind,
    testRunInput({ model: CHEAP, onBudget: "wait", ...more }),
  );
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

async function end({ id }: { id: string }, kinds?: readonly RunKind[]): Promise<RunView> {
  for await (const _ of followRunLog(id, { after: -1, signal: AbortSignal.timeout(50_000) }));
  return getRun(owner, id, kinds);
}

/** What a run requires that waits for credits, once it does and nobody drives it any more. */
async function waiting({ id }: { id: string }, kinds?: readonly RunKind[]) {
  await expect
    .poll(async () => budgetActionOf((await getRun(owner, id, kinds)).requiresAction), {
      timeout: 100_000,
    })
    .not.toBeNull();
  const run = await getRun(owner, id, kinds);
  const action = budgetActionOf(run.requiresAction);
  if (!action) throw new Error("it waits for nothing");
  return { run, action };
}

/** The engine has let go of what sleeps: it holds no place. */
async function sleeping(runId: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            "SELECT owner, queued FROM engine_runs WHERE event_id = $1 AND status = 'active'",
            [runId],
          )
        ).rows,
      { timeout: 100_000 },
    )
    .toEqual([{ owner: null, queued: false }]);
}

const raise = ({ id }: { id: string }, credits: number, kinds?: readonly RunKind[]) =>
  raiseRunLimit(owner, id, toMicros(credits), kinds);

const held = async ({ id }: { id: string }) => {
  const { rows } = await database.pool.query<{ micros: string }>(
    "SELECT amount_micros AS micros FROM credit_holds WHERE run_id = $1",
    [id],
  );
  return rows.map(({ micros }) => Number(micros));
};

const available = async () => {
  const { rows } = await database.pool.query<{ micros: string }>(
    "SELECT available_micros AS micros FROM accounts WHERE id = $1",
    [owner.accountId],
  );
  return BigInt(rows[0]?.micros ?? 0);
};

async function wallet(credits: number): Promise<void> {
  await database.pool.query(
    `WITH before AS (SELECT available_micros AS had FROM accounts WHERE id = $1),
       entry AS (INSERT INTO ledger_entries (id, account_id, kind, amount_micros)
         SELECT gen_random_uuid(), $1, 'adjustment', $2 - had FROM before)
     UPDATE accounts SET available_micros = $2 WHERE id = $1`,
    [owner.accountId, toMicros(credits)],
  );
}

const linesOf = async ({ id }: { id: string }) =>
  (await readRunEvents(id, -1, 1_000)).map((line) => JSON.parse(line) as { type: string });

const eventsOf = async ({ id }: { id: string }) => {
  const { rows } = await database.pool.query<{ type: string; wait: unknown }>(
    `SELECT type, data -> 'requires_action' AS wait FROM account_events WHERE account_id = $1
       AND data ->> 'run_id' = $2 ORDER BY id`,
    [owner.accountId, id],
  );
  return rows;
};

test("a run raised twice paid each model call once, and holds nothing meanwhile", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  const first = await waiting(run);
  expect(first.run.status).toBe("running");
  expect(first.action).toMatchObject({ type: "budget", max_credits: 8 });
  expect(first.action.spent).toBe(first.run.usage.credits);
  expect(first.action.required).toBeGreaterThan(8);
  await sleeping(run.id);
  expect(await held(run)).toEqual([0]);
  expect(toMicros(WALLET) - (await available())).toBe(toMicros(first.action.spent));
  const made = calls.length;
  // The least that will do is enough, to the millionth.
  expect((await raise(run, first.action.required)).requiresAction).toBeNull();
  const second = await waiting(run);
  expect(second.action.max_credits).toBe(first.action.required);
  expect(second.action.spent).toBeGreaterThan(first.action.spent);
  expect(calls.length).toBeGreaterThan(made);
  await raise(run, 100);
  const ended = await end(run);
  expect(ended).toMatchObject({
    status: "completed",
    requiresAction: null,
    usage: { credits: 13.8 },
  });
  expect(calls.map(({ turn }) => turn)).toEqual([0, 1, 2, 3]);
  const { rows } = await database.pool.query(
    `SELECT step_key, credits_micros::int AS micros FROM run_usage WHERE run_id = $1
     ORDER BY step_key`,
    [run.id],
  );
  expect(rows).toEqual([
    ...[0, 1, 2].map((turn) => ({ step_key: `turn-${turn}`, micros: 4_200_000 })),
    { step_key: "turn-3", micros: 1_200_000 },
  ]);
  expect(toMicros(WALLET) - (await available())).toBe(toMicros(13.8));
  expect((await linesOf(run)).filter(({ type }) => type.startsWith("budget."))).toMatchObject([
    { type: "budget.reached", reason: "budget", spent: first.action.spent },
    { type: "budget.raised" },
    { type: "budget.reached", reason: "budget", max_credits: first.action.required },
    { type: "budget.raised" },
  ]);
});

test("a run whose person's day is used up fails, at its budget too", async () => {
  for (const onBudget of ["wait", "fail"] as const) {
    await setEndUserLimits(owner, onBudget, { maxCreditsPerDay: 8 });
    const ended = await end(await start({ endUser: onBudget, onBudget }));
    expect(ended).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" } });
    expect(ended.usage.credits).toBeGreaterThan(4);
    const { usage } = await getEndUser(owner, onBudget);
    expect(usage.creditsToday).toBe(ended.usage.credits);
    expect(usage.creditsToday).toBeLessThanOrEqual(8);
    expect(await held(ended)).toEqual([]);
  }
});

test("a start that says nothing, or fail, fails at its limit, or the config's", async () => {
  for (const onBudget of [null, "fail"] as const)
    expect(await end(await start({ onBudget, maxCreditsMicros: toMicros(8) }))).toMatchObject({
      status: "failed",
      error: { code: "BUDGET_EXCEEDED" },
    });
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { max_credits: 8, on_budget: "wait" } },
  });
  expect(await end(await start({ agentId, onBudget: "fail" }))).toMatchObject({
    error: { code: "BUDGET_EXCEEDED" },
  });
  const run = await start({ agentId, onBudget: null });
  expect((await waiting(run)).action).toMatchObject({ type: "budget", max_credits: 8 });
  // Whoever may raise it raises it above what the config says, for this run.
  await raise(run, 50);
  expect(await end(run)).toMatchObject({ status: "completed" });
});

test("a limit met before the first answer, by the price of a fallback, waits too", async () => {
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, fallback_models: [DEAR] },
  });
  script = ({ model }) => {
    if (model === CHEAP) throw new RunFailure("EXECUTION_FAILED", "refused");
    return { text: "from the dear one", usage: { input: 1_000, output: 10 } };
  };
  const run = await start({ agentId, model: null, maxCreditsMicros: toMicros(8) });
  const { action } = await waiting(run);
  expect(action).toMatchObject({ type: "budget", spent: 0, max_credits: 8 });
  await raise(run, action.required);
  expect(await end(run)).toMatchObject({
    status: "completed",
    result: { text: "from the dear one" },
  });
  expect(calls.map(({ model }) => model)).toEqual([CHEAP, CHEAP, DEAR]);
});

test("an answer that cost more than the limit is given once it is raised", async () => {
  script = () => ({ text: "the answer", usage: { input: 20_000, output: 100 } });
  const run = await start({ maxCreditsMicros: toMicros(8) });
  expect((await waiting(run)).action).toMatchObject({ spent: 8, required: 20.2, max_credits: 8 });
  await raise(run, 20.2);
  expect(await end(run)).toMatchObject({
    status: "completed",
    result: { text: "the answer" },
    usage: { credits: 8 },
  });
  expect(calls).toHaveLength(1);
});

test("a wallet short of the next turn has the run wait; a top-up has it go on", async () => {
  await wallet(12);
  const run = await start();
  const { action } = await waiting(run);
  expect(action).toMatchObject({ type: "credits", max_credits: null });
  await sleeping(run.id);
  expect(await available()).toBe(toMicros(12) - toMicros(action.spent));
  const { rows } = await database.pool.query(
    "SELECT id AS user_id FROM users WHERE account_id = $1",
    [owner.accountId],
  );
  const operator = { ...owner, userId: rows[0]?.user_id ?? null };
  // Too little moves nothing.
  await updateAccount(operator, { addCredits: 0.000001 });
  expect((await getRun(owner, run.id)).requiresAction).not.toBeNull();
  await updateAccount(operator, { addCredits: 30 });
  expect(await end(run)).toMatchObject({ status: "completed", usage: { credits: 13.8 } });
  expect(calls).toHaveLength(4);
  expect(await available()).toBe(toMicros(42.000001) - toMicros(13.8));
});

test("of several runs waiting for credits a top-up has those go on that it covers", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  script = async (seen) => {
    if (seen.turn === 0) await released;
    return steps(3)(seen);
  };
  const runs = [await start(), await start(), await start()];
  await expect.poll(() => calls.length, { timeout: 100_000 }).toBe(3);
  // Each has what its first turn costs, and nothing more is there.
  await database.pool.query(
    `WITH held AS (UPDATE credit_holds SET amount_micros = 4200000 WHERE account_id = $1
       RETURNING amount_micros)
     INSERT INTO ledger_entries (id, account_id, kind, amount_micros)
     SELECT gen_random_uuid(), $1, 'adjustment',
       (SELECT sum(amount_micros) FROM held) - (SELECT sum(amount_micros) FROM ledger_entries
       WHERE account_id = $1)`,
    [owner.accountId],
  );
  await database.pool.query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
    owner.accountId,
  ]);
  release();
  const settled = async () => {
    for (const run of runs) await waiting(run);
    for (const run of runs) await sleeping(run.id);
    for (const run of runs) expect(await held(run)).toEqual([0]);
  };
  const raised = async () =>
    (await Promise.all(runs.map(linesOf))).flat().filter(({ type }) => type === "budget.raised")
      .length;
  await settled();
  const before = await raised();
  // Enough for one turn, of whichever has waited longest.
  await wallet(8);
  await expect.poll(raised).toBe(before + 1);
  await settled();
  await wallet(100);
  for (const run of runs)
    expect(await end(run)).toMatchObject({ status: "completed", usage: { credits: 13.8 } });
  expect(calls).toHaveLength(12);
});

test("a limit is raised, never lowered, the same void; of two the higher holds", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  await waiting(run);
  await expect(raise(run, 7.999999)).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await raise(run, 8)).requiresAction).not.toBeNull();
  // Above the limit, and too little: it is raised, and the run waits on.
  expect((await raise(run, 8.000001)).requiresAction).toMatchObject({ max_credits: 8.000001 });
  expect((await eventsOf(run)).filter(({ type }) => type === "run.requires_action")).toHaveLength(
    1,
  );
  const both = await Promise.allSettled([raise(run, 60), raise(run, 90)]);
  expect(both.some(({ status }) => status === "fulfilled")).toBe(true);
  expect((await loadRun(run.id)).maxCreditsMicros).toBe(toMicros(90));
  expect(await end(run)).toMatchObject({ status: "completed", usage: { credits: 13.8 } });
  await expect(raise(run, 100)).rejects.toMatchObject({ code: "RUN_NOT_ACTIVE" });
  script = () => new Promise<ScriptedTurn>(() => {});
  const unlimited = await start();
  await expect(raise(unlimited, 100)).rejects.toMatchObject({ code: "CONFLICT" });
  await cancelRun(owner, unlimited.id);
  await end(unlimited);
});

test("a run is raised by its account, and by an app key up to the agent's config", async () => {
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { max_credits: 30 } },
  });
  const run = await start({ agentId, maxCreditsMicros: toMicros(8) });
  await waiting(run);
  const stranger = await database.account();
  await expect(raiseRunLimit(stranger, run.id, toMicros(50))).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  const app = { ...owner, agentId };
  await expect(raiseRunLimit(app, run.id, toMicros(30.5))).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
  await raiseRunLimit(app, run.id, toMicros(30));
  expect(await end(run)).toMatchObject({ status: "completed" });
});

test("a wait is one transaction of run, event, notification and line, once", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  await waiting(run);
  await sleeping(run.id);
  const { rows } = await database.pool.query<{ id: string; least: string; same: boolean }>(
    `SELECT w.id, w.least_micros AS least, w.xmin = e.xmin AND w.xmin = n.xmin AS same
     FROM budget_waits w
     JOIN account_events e ON e.data ->> 'run_id' = w.run_id::text
       AND e.type = 'run.requires_action'
     JOIN notifications n ON n.key = 'budget:' || w.id WHERE w.run_id = $1`,
    [run.id],
  );
  expect(rows).toMatchObject([{ same: true }]);
  const [wait] = rows;
  const again = () =>
    requestBudget(run.id, 2, null, {
      waitId: wait?.id ?? "",
      leastMicros: wait?.least ?? "",
      timeoutSeconds: 60,
    });
  expect(await again()).toEqual({ outcome: "asked" });
  const told = async () => [
    (await eventsOf(run)).length,
    (await linesOf(run)).filter(({ type }) => type === "budget.reached").length,
  ];
  expect(await told()).toEqual([1, 1]);
  expect((await eventsOf(run))[0]?.wait).toMatchObject({ type: "budget", max_credits: 8 });
  await raise(run, 100);
  expect(await end(run)).toMatchObject({ status: "completed" });
  expect(await again()).toEqual({ outcome: "ended" });
});

test("bell and mail, of the title alone, offer a limit, and go with their run", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  const { action } = await waiting(run);
  await sleeping(run.id);
  const told = async () =>
    (
      await database.pool.query<{ title: string; path: string }>(
        "SELECT title, path FROM notifications WHERE account_id = $1 AND key LIKE 'budget:%'",
        [owner.accountId],
      )
    ).rows;
  const limit = suggestedLimit(action);
  expect(await told()).toEqual([
    { title: `A run has reached its budget: raise it to ${limit}`, path: `/runs/${run.id}` },
  ]);
  await raise(run, 100);
  expect(await end(run)).toMatchObject({ status: "completed" });
  await deleteRun(owner, run.id);
  expect(await told()).toEqual([]);
});

test("undecided in time the run fails with BUDGET_EXCEEDED and keeps its work", async () => {
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { max_credits: 8, approval_timeout_seconds: 1 } },
  });
  const run = await end(await start({ agentId }));
  expect(run).toMatchObject({
    status: "failed",
    error: { code: "BUDGET_EXCEEDED", message: expect.stringContaining("nobody raised") },
    requiresAction: null,
  });
  expect(run.usage.credits).toBeGreaterThan(0);
  expect(await held(run)).toEqual([]);
  const { rows } = await database.pool.query("SELECT status FROM budget_waits WHERE run_id = $1", [
    run.id,
  ]);
  expect(rows).toEqual([{ status: "expired" }]);
});

test("a raise against the end of the time: one wins, and the run is in one state", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  await waiting(run);
  await sleeping(run.id);
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM budget_waits WHERE run_id = $1",
    [run.id],
  );
  const [raised, ended] = await Promise.allSettled([
    raise(run, 100),
    endBudgetWait(run.id, rows[0]?.id ?? ""),
  ]);
  const after = await end(run);
  const isEnded = ended.status === "fulfilled" && ended.value.ended;
  expect(after.status).toBe(isEnded ? "failed" : "completed");
  if (isEnded) expect(raised.status).toBe("rejected");
});

test("a raise against a cancel: the run is cancelled or goes on, nothing held", async () => {
  for (let round = 0; round < 5; round += 1) {
    const run = await start({ maxCreditsMicros: toMicros(8) });
    await waiting(run);
    const [, cancelled] = await Promise.allSettled([raise(run, 100), cancelRun(owner, run.id)]);
    expect(cancelled.status).toBe("fulfilled");
    const after = await end(run);
    expect(after).toMatchObject({ status: "cancelled", requiresAction: null });
    await expect.poll(() => held(run)).toEqual([]);
  }
});

test("a wait is no part of a run's time", async () => {
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { timeout_seconds: 30 } },
  });
  const run = await start({ agentId, maxCreditsMicros: toMicros(8) });
  await waiting(run);
  await sleeping(run.id);
  // An hour goes by.
  await database.pool.query(
    "UPDATE runs SET started_at = started_at - interval '1 hour' WHERE id = $1",
    [run.id],
  );
  await database.pool.query(
    "UPDATE budget_waits SET created_at = created_at - interval '1 hour' WHERE run_id = $1",
    [run.id],
  );
  await raise(run, 100);
  expect(await end(run)).toMatchObject({ status: "completed" });
});

test("a turn tried anew after a crash in mid-wait finds it, and calls no model", async () => {
  const run = await start({ maxCreditsMicros: toMicros(8) });
  await waiting(run);
  await sleeping(run.id);
  const made = calls.length;
  const outcome = await runTurn(run.id, made);
  expect(outcome).toMatchObject({
    done: false,
    calls: [],
    short: { leastMicros: expect.stringMatching(/^\d+$/) },
  });
  expect(calls).toHaveLength(made);
  await cancelRun(owner, run.id);
  await end(run);
});

test("a super-agent's run waits with its child; raised, both go on, none pays twice", async () => {
  const { id: agentId } = await insertTestAgent(owner, { config: { model: CHEAP } });
  script = ({ system, turn }) => {
    if (!system.includes("super-agent")) return steps(3)({ turn });
    return turn === 0
      ? {
          call: { name: "run_agent", input: { agent_id: agentId, input: {} } },
          usage: { input: 1_000, output: 100 },
        }
      : { text: "all done", usage: { input: 1_000, output: 100 } };
  };
  const parent = await start({ maxCreditsMicros: toMicros(17) }, "super_agent");
  const { action } = await waiting(parent, SUPER_AGENT_KINDS);
  const { rows } = await database.pool.query<{ id: string; action: object }>(
    "SELECT id, requires_action AS action FROM runs WHERE parent_run_id = $1",
    [parent.id],
  );
  const [child] = rows;
  if (!child) throw new Error("it has started nothing");
  expect(action).toMatchObject({ type: "budget", max_credits: 17 });
  expect(child.action).toEqual({ ...action, run_id: parent.id });
  // The child has no limit of its own to raise.
  await expect(raise(child, 100)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining(parent.id),
  });
  const raised = await raise(parent, 100, SUPER_AGENT_KINDS);
  expect(raised.requiresAction).toBeNull();
  expect((await getRun(owner, child.id)).requiresAction).toBeNull();
  expect(await end(parent, SUPER_AGENT_KINDS)).toMatchObject({
    status: "completed",
    result: { text: "all done" },
  });
  expect(await getRun(owner, child.id)).toMatchObject({
    status: "completed",
    usage: { credits: 13.8 },
  });
  const turns = calls.filter(({ system }) => !system.includes("super-agent"));
  expect(turns.map(({ turn }) => turn)).toEqual([0, 1, 2, 3]);
});

test("a run beyond a super-agent's limit is started once that is raised", async () => {
  const { id: agentId } = await insertTestAgent(owner, { config: { model: CHEAP } });
  script = ({ system, turn }) => {
    if (!system.includes("super-agent")) return { text: "the child's answer" };
    return turn === 0
      ? {
          call: { name: "run_agent", input: { agent_id: agentId, input: {} } },
          usage: { input: 7_000, output: 100 },
        }
      : { text: "all done", usage: { input: 1_000, output: 100 } };
  };
  const parent = await start({ maxCreditsMicros: toMicros(8) }, "super_agent");
  const { action } = await waiting(parent, SUPER_AGENT_KINDS);
  expect(action).toMatchObject({ type: "budget", spent: 7.2, max_credits: 8 });
  await raise(parent, action.required + 20, SUPER_AGENT_KINDS);
  expect(await end(parent, SUPER_AGENT_KINDS)).toMatchObject({ status: "completed" });
  const { rows } = await database.pool.query("SELECT status FROM runs WHERE parent_run_id = $1", [
    parent.id,
  ]);
  expect(rows).toEqual([{ status: "completed" }]);
});

test("when a super-agent's run is cancelled, its waiting children are too", async () => {
  const { id: agentId } = await insertTestAgent(owner, { config: { model: CHEAP } });
  script = ({ system, turn }) =>
    system.includes("super-agent")
      ? {
          call: { name: "run_agent", input: { agent_id: agentId, input: {} } },
          usage: { input: 1_000, output: 100 },
        }
      : steps(3)({ turn });
  const parent = await start({ maxCreditsMicros: toMicros(17) }, "super_agent");
  await waiting(parent, SUPER_AGENT_KINDS);
  await cancelRun(owner, parent.id, SUPER_AGENT_KINDS);
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM runs WHERE parent_run_id = $1",
    [parent.id],
  );
  expect(await end({ id: rows[0]?.id ?? "" }, AGENT_ROUTE_KINDS)).toMatchObject({
    status: "cancelled",
    requiresAction: null,
  });
  await end(parent, SUPER_AGENT_KINDS);
});

test("an agent calling others waits at its config's limit, says its need, is raised", async () => {
  const other = await insertTestAgent(owner, { name: "Other" });
  const agent = await insertTestAgent(owner, {
    name: "Leader",
    config: {
      limits: { max_credits: 8, on_budget: "wait" },
      tools: { agents: [{ agent_id: other.id, name: "other" }] },
    },
  });
  const run = await start({ agentId: agent.id });
  const { action } = await waiting(run);
  expect(action).toMatchObject({ type: "budget", max_credits: 8 });
  expect(action).not.toHaveProperty("run_id");
  expect(action.required).toBeGreaterThan(8);
  // Enough for all of it: the agent's word no longer holds.
  await raise(run, 100);
  expect(await end(run)).toMatchObject({ status: "completed", result: { text: "done" } });
});

test("of nested runs the uppermost's limit holds: raised, the lowest goes on", async () => {
  const leads = (name: string, other: string) =>
    insertTestAgent(owner, {
      name,
      config: { version: 1, tools: { agents: [{ agent_id: other, name: "below" }] } },
    });
  const lowest = await insertTestAgent(owner, { name: "Lowest" });
  const middle = await leads("Middle", lowest.id);
  const top = await leads("Uppermost", middle.id);
  script = (seen) =>
    seen.system.includes("Lowest")
      ? steps(3)(seen)
      : seen.turn === 0
        ? { call: { name: "below", input: { request: "Go." } }, usage: { input: 100, output: 10 } }
        : { text: "done", usage: { input: 100, output: 10 } };
  const run = await start({ agentId: top.id, maxCreditsMicros: toMicros(16) });
  const child = async (of: string) =>
    (
      await database.pool.query<{ id: string }>("SELECT id FROM runs WHERE parent_run_id = $1", [
        of,
      ])
    ).rows[0];
  await expect.poll(() => child(run.id), { timeout: 50_000 }).toBeDefined();
  const second = (await child(run.id)) ?? run;
  await expect.poll(() => child(second.id), { timeout: 50_000 }).toBeDefined();
  const third = (await child(second.id)) ?? run;
  // The limit that binds is named, with what it requires, by the run that waits and the one above.
  const { action } = await waiting(third);
  expect(action).toMatchObject({ type: "budget", max_credits: 16, run_id: run.id });
  expect(action.required).toBeGreaterThan(16);
  const usage = await database.pool.query(
    "SELECT sum(credits_micros)::float8 / 1e6 AS spent FROM run_usage WHERE account_id = $1",
    [owner.accountId],
  );
  expect(usage.rows).toEqual([{ spent: action.spent }]);
  expect((await getRun(owner, second.id)).requiresAction).toEqual(action);
  const told = await database.pool.query("SELECT path FROM notifications WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(told.rows).toContainEqual({ path: `/runs/${third.id}` });
  await raise(run, Math.ceil(action.required) + 30);
  expect(await end(third)).toMatchObject({ status: "completed" });
  expect(await end(run)).toMatchObject({ status: "completed", result: { text: "done" } });
});

test("a schedule hands on what its runs do at their budget", async () => {
  const agent = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { max_credits: 8 } },
  });
  const schedule = await createSchedule(owner, agent.id, { cron: "0 9 * * *", onBudget: "wait" });
  expect(schedule.onBudget).toBe("wait");
  await database.pool.query(
    "UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE id = $1",
    [schedule.id],
  );
  await fireSchedules();
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM runs WHERE schedule_id = $1",
    [schedule.id],
  );
  const run = { id: rows[0]?.id ?? "" };
  const { action } = await waiting(run);
  await raise(run, Math.ceil(action.required) + 20);
  expect(await end(run)).toMatchObject({ status: "completed" });
});

test("a run refused by its agent's limit is no super-agent's wait: it is told", async () => {
  const { id: agentId } = await insertTestAgent(owner, {
    config: { model: CHEAP, limits: { max_credits: 0.5 } },
  });
  let told = "";
  script = ({ turn, prompt }) => {
    if (turn === 0) return { call: { name: "run_agent", input: { agent_id: agentId, input: {} } } };
    told = JSON.stringify(prompt.at(-1));
    return { text: "gave up" };
  };
  const parent = await start({ maxCreditsMicros: toMicros(100) }, "super_agent");
  expect(await end(parent, SUPER_AGENT_KINDS)).toMatchObject({ status: "completed" });
  expect(told).toContain("INSUFFICIENT_CREDITS");
});
