import { expect } from "@playwright/test";
import type { Run, RunEvent } from "@/lib/client/schemas";
import { AdminError, admin } from "../../support/admin";
import { expectWholeLog, lastMessageText, RunStream } from "../../support/run-log";
import type { Started } from "./load";
import type { FaultEvent, World } from "./world";

export interface InvariantOptions {
  /**
   * A model call that is made again needs one of these between it and the one before; by default
   * what the world did: kills and stops.
   */
  explains?: FaultEvent[];
  /** The runs that need not be completed, beside those that say so: whose failure a test wants. */
  mayFail?: Started[];
}

/** A call that a process made just before it was stopped may be seen a little later. */
const SLACK_MS = 500;
/** A run that has ended has its whole log: this only ends what hangs. */
const LOG_LIMIT_MS = 60_000;

/** Rows that must not be there once nothing is at work, by what they break. */
const FORBIDDEN = {
  "the balance and what is held are not the sum of the ledger": `
    SELECT a.id, a.available_micros, held.sum AS held, ledger.sum AS ledger FROM accounts a
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount_micros), 0) AS sum FROM credit_holds
      WHERE account_id = a.id) held
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount_micros), 0) AS sum FROM ledger_entries
      WHERE account_id = a.id) ledger
    WHERE a.available_micros + held.sum <> ledger.sum OR a.available_micros < 0`,
  "a hold has no run that is at work": `
    SELECT h.run_id FROM credit_holds h LEFT JOIN runs r ON r.id = h.run_id
    WHERE r.id IS NULL OR r.completed_at IS NOT NULL`,
  "a run at work holds nothing": `
    SELECT r.id FROM runs r WHERE r.completed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM credit_holds h WHERE h.run_id = r.id)`,
  "what a run used is not what the ledger took for it": `
    SELECT r.id, used.sum AS used, ledger.sum AS ledger FROM runs r
    CROSS JOIN LATERAL (SELECT coalesce(sum(credits_micros), 0) AS sum FROM run_usage
      WHERE run_id = r.id) used
    CROSS JOIN LATERAL (SELECT coalesce(-sum(amount_micros), 0) AS sum FROM ledger_entries
      WHERE run_id = r.id AND kind = 'usage') ledger
    WHERE used.sum <> ledger.sum`,
  "a run is at work though all should have ended":
    "SELECT id, status FROM runs WHERE completed_at IS NULL OR status IN ('pending', 'running')",
  "a conversation is held by a run that has ended": `
    SELECT c.id, c.active_run_id FROM conversations c LEFT JOIN runs r ON r.id = c.active_run_id
    WHERE c.active_run_id IS NOT NULL AND (r.id IS NULL OR r.completed_at IS NOT NULL)`,
  "a run has charges from after its end": `
    SELECT u.run_id, u.step_key FROM run_usage u JOIN runs r ON r.id = u.run_id
    WHERE r.status <> 'cancelled' AND u.created_at > r.completed_at + interval '100 milliseconds'`,
  "a run that ended with a webhook has not exactly one delivery": `
    SELECT r.id, count(d.id) FROM runs r LEFT JOIN webhook_deliveries d ON d.run_id = r.id
      AND d.endpoint_id IS NULL
    WHERE r.webhook_url IS NOT NULL AND r.completed_at IS NOT NULL GROUP BY r.id
    HAVING count(d.id) <> 1`,
  "a schedule has not fired once each time": `SELECT schedule_id, count(*) FROM runs
     WHERE schedule_id IS NOT NULL GROUP BY 1
     HAVING count(*) <> 1`,
  "a call of a super-agent left two runs": `
    SELECT parent_run_id, count(*) FROM runs WHERE parent_run_id IS NOT NULL GROUP BY 1
    HAVING count(*) <> 1`,
  "a creation left no agent, or two": `
    SELECT r.id, count(a.id) FROM runs r LEFT JOIN agents a ON a.id = r.agent_id
    WHERE r.kind = 'agent_creation' AND r.status = 'completed' GROUP BY 1 HAVING count(a.id) <> 1`,
  "a run at work waits behind a run that has ended":
    "SELECT q.run_id FROM queued_runs q JOIN runs r ON r.id = q.run_id",
  "a wait for credits has outlived what waited":
    "SELECT w.id, w.run_id, w.of_wait FROM budget_waits w WHERE w.status = 'waiting'",
  "two runs of a conversation worked at once": `
    SELECT a.id, b.id AS other FROM runs a JOIN runs b ON b.conversation_id = a.conversation_id
      AND b.id <> a.id
    WHERE a.started_at <= b.started_at AND b.started_at < a.completed_at`,
  "a firing and a run do not belong together": `
    SELECT r.id, f.id AS firing FROM (SELECT * FROM runs WHERE schedule_id IS NOT NULL) r
    FULL JOIN (SELECT * FROM schedule_firings WHERE outcome = 'started') f ON f.run_id = r.id
      AND f.schedule_id = r.schedule_id
    WHERE r.id IS NULL OR f.id IS NULL`,
  "something of a person who was erased is left": `
    SELECT r.id, NULL AS file FROM runs r WHERE r.end_user IS NOT NULL UNION ALL
    SELECT NULL, f.storage_key FROM erased_files f UNION ALL SELECT e.id, e.end_user
    FROM end_users e`,
  "a start left two runs": `SELECT metadata->>'key' AS key, count(*) FROM runs
    WHERE metadata ? 'key' GROUP BY 1 HAVING count(*) <> 1`,
};

/**
 * What must hold after every fault, once the world is quiet: money adds up, each run has ended
 * once, its log says what its result says, nothing is held, each webhook has arrived under one id,
 * and no model call or effect was doubled beyond what a kill explains. Collects all that is broken.
 */
export async function expectInvariants(
  world: World,
  runs: Started[],
  options: InvariantOptions = {},
): Promise<void> {
  const broken: string[] = [];
  for (const [what, query] of Object.entries(FORBIDDEN)) {
    const rows = await world.query(query);
    if (rows.length > 0)
      broken.push(`${what} (${rows.length}): ${JSON.stringify(rows.slice(0, 3))}`);
  }
  broken.push(...(await brokenByOperatorsCheck(world)), ...world.model.promptFaults);
  const waiting = [...runs, ...(await childrenOf(world, runs))];
  const work = async () => {
    for (let run = waiting.pop(); run; run = waiting.pop()) {
      const wrong = await wrongWith(world, run, options).catch((error: Error) => [error.message]);
      broken.push(...wrong.map((each) => `${run.key} ${run.runId}: ${each}`));
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  expect(broken, broken.slice(0, 40).join("\n")).toEqual([]);
}

/** The runs that these have started. */
async function childrenOf(world: World, runs: Started[]): Promise<Started[]> {
  const children: Started[] = [];
  for (const { childKey, runId, account } of runs) {
    if (childKey === undefined) continue;
    const rows = await world.query<{ id: string }>("SELECT id FROM runs WHERE parent_run_id = $1", [
      runId,
    ]);
    for (const { id } of rows)
      children.push({ key: childKey, runId: id, account, path: "/v1/runs", hasWebhook: false });
  }
  return children;
}

/** What the operator's `admin check` finds in this world's database. */
async function brokenByOperatorsCheck(world: World): Promise<string[]> {
  const environment = { DATABASE_URL: world.cluster.url(world.database), DATA_DIR: world.dataDir };
  const found = await admin(["check", "--grace", "0"], environment).catch((error: unknown) => {
    if (error instanceof AdminError) return { ok: false, error: error.message };
    throw error;
  });
  return found.ok === true ? [] : [`admin check: ${JSON.stringify(found).slice(0, 4_000)}`];
}

async function wrongWith(
  world: World,
  started: Started,
  options: InvariantOptions,
): Promise<string[]> {
  const api = world.api(firstAlive(world), started.account);
  const run = (await api.get(`${started.path}/${started.runId}`)).as("Run");
  const stream = await RunStream.open(api, "GET", `${started.path}/${started.runId}/events`);
  const late = setTimeout(() => stream.leave(), LOG_LIMIT_MS);
  const lines = await stream.readAll().catch(() => {
    throw new Error("its log does not end, though it has");
  });
  clearTimeout(late);
  const terminal = expectWholeLog(lines);
  const wrong: string[] = [];
  const claim = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what);
  };
  const mayFail =
    started.mayFail || options.mayFail?.some(({ runId }) => runId === started.runId) || false;
  claim(mayFail || run.status === "completed", `it is ${run.status}: ${JSON.stringify(run.error)}`);
  if (run.status === "completed") {
    const text = run.result?.text ?? "";
    claim(
      terminal.type === "run.completed" && terminal.result.text === text,
      "its terminal line says another text than its result",
    );
    claim(
      started.isBuild || lastMessageText(lines) === text,
      `its log says "${lastMessageText(lines)}", its result "${text}"`,
    );
    const isSaid = (said: string) =>
      started.isBuild ? said !== "" && text.includes(said) : said === text;
    const said = world.model.callsOf(started.key).some((call) => isSaid(call.text));
    claim(said, `no call of the model said "${text}"`);
  }
  wrong.push(...(await wrongWithMoney(world, run, terminal.usage?.credits ?? 0)));
  wrong.push(...wrongWithHooks(world, started, run));
  wrong.push(...(await wrongWithMessages(world, started, run, lines)));
  wrong.push(...wrongWithCalls(world, started.key, options.explains ?? world.faults));
  return wrong;
}

function firstAlive(world: World): number {
  return Math.max(
    0,
    world.processes.findIndex(({ service }) => isAlive(service.pid)),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function wrongWithMoney(world: World, run: Run, said: number): Promise<string[]> {
  const [row] = await world.query<{ used: string }>(
    "SELECT coalesce(sum(credits_micros), 0) AS used FROM run_usage WHERE run_id = $1",
    [run.run_id],
  );
  const used = Number(row?.used ?? 0);
  const micros = (credits: number) => Math.round(credits * 1_000_000);
  const parts = (run.usage?.breakdown ?? []).reduce((sum, each) => sum + micros(each.credits), 0);
  const sums = {
    ledger: used,
    run: micros(run.usage?.credits ?? 0),
    breakdown: parts,
    terminal: micros(said),
  };
  // A cancelled run's call in flight is charged with its end, in either order.
  return new Set(Object.values(sums)).size === 1
    ? []
    : [`its sums differ: ${JSON.stringify(sums)}`];
}

function wrongWithHooks(world: World, started: Started, run: Run): string[] {
  if (!started.hasWebhook) return [];
  const hooks = world.receiver.hooks.filter(({ runId }) => runId === run.run_id);
  const ids = new Set(hooks.map(({ id }) => id));
  if (ids.size !== 1) return [`its webhook arrived under ${ids.size} ids in ${hooks.length} calls`];
  const texts = hooks.filter(({ text }) => text !== (run.result?.text ?? null));
  return texts.length === 0 ? [] : [`its webhook said "${texts[0]?.text}"`];
}

interface SaidRow {
  id: string;
  text: string;
  /** It was the answer to a question. */
  is_answer: boolean;
}

/** What was said to it is shown once, in its order, also to the model that gave its answer. */
async function wrongWithMessages(
  world: World,
  started: Started,
  run: Run,
  lines: readonly RunEvent[],
): Promise<string[]> {
  const rows = await world.query<SaidRow>(
    `SELECT id, input #>> '{}' AS text, tool_call_id IS NOT NULL AS is_answer FROM run_messages
     WHERE run_id = $1 AND due = 'next_step' ORDER BY position`,
    [run.run_id],
  );
  const wrong: string[] = [];
  const said = started.said ?? rows.map(({ text }) => text);
  if (
    said.toSorted().join() !==
    rows
      .map(({ text }) => text)
      .toSorted()
      .join()
  )
    wrong.push(`it was told ${JSON.stringify(said)}, and ${JSON.stringify(rows)} is stored`);
  const shown = lines.flatMap((line) =>
    line.type === "message.received" && line.when === "next_step" ? [line.message_id] : [],
  );
  const ids = rows.map(({ id }) => id);
  // One that was cancelled may have been shown less.
  const due = run.status === "completed" ? ids : ids.slice(0, shown.length);
  if (shown.join() !== due.join())
    wrong.push(`its log shows the messages ${shown.join()}, and they are ${ids.join()}`);
  const answer = world.model
    .callsOf(started.key)
    .find(({ text }) => text !== "" && text === run.result?.text);
  if (!answer) return wrong;
  const prompt = JSON.stringify(answer.messages);
  const places = rows.map(({ text }) => prompt.indexOf(text));
  if (places.some((place, index) => place <= (places[index - 1] ?? -1)))
    wrong.push(
      `its model saw what it was told at ${places.join()}: not all of it, or not in order`,
    );
  for (const { text, is_answer } of rows)
    if (!is_answer && prompt.split(text).length !== 2)
      wrong.push(`its model saw "${text}" ${prompt.split(text).length - 1} times`);
  return wrong;
}

/** Each call is made once, and again only after something that may have lost its answer. */
function wrongWithCalls(world: World, key: string, explains: FaultEvent[]): string[] {
  const wrong: string[] = [];
  const calls = world.model.callsOf(key);
  for (const turn of new Set(calls.map((call) => call.turn))) {
    const times = calls.filter((call) => call.turn === turn).map((call) => call.at);
    for (const [index, at] of times.entries()) {
      const before = times[index - 1];
      if (
        before === undefined ||
        explains.some((fault) => fault.at >= before - SLACK_MS && fault.at <= at)
      )
        continue;
      wrong.push(
        `its turn ${turn} was asked of the model ${times.length} times, and nothing explains the ` +
          `one ${at - before} ms after the other`,
      );
    }
  }
  const effects = world.receiver.effects.filter((effect) => effect.key === key);
  for (const turn of new Set(effects.map((effect) => effect.turn))) {
    const keys = new Set(
      effects.filter((effect) => effect.turn === turn).map((effect) => effect.idempotencyKey),
    );
    if (keys.size > 1)
      wrong.push(`the effect of its turn ${turn} was made under ${keys.size} idempotency keys`);
  }
  return wrong;
}
