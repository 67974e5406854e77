import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { type Started, startRuns, untilQuiet } from "./support/load";
import type { World } from "./support/world";

/** One way to break each of them, and what is then said. */
const BREAKS: [RegExp, (world: World, run: Started) => Promise<unknown>][] = [
  [
    /not the sum of the ledger/,
    (world) =>
      world.query("UPDATE accounts SET available_micros = available_micros + 1 WHERE id = $1", [
        world.account.accountId,
      ]),
  ],
  [
    /a hold has no run/,
    (world, { runId }) =>
      world.query(
        "INSERT INTO credit_holds (run_id, account_id, amount_micros) VALUES ($1, $2, 0)",
        [runId, world.account.accountId],
      ),
  ],
  [
    /not what the ledger took/,
    (world, { runId }) =>
      world.query("UPDATE run_usage SET credits_micros = credits_micros + 1 WHERE run_id = $1", [
        runId,
      ]),
  ],
  [
    /its sums differ/,
    (world, { runId }) =>
      world.query("UPDATE run_usage SET credits_micros = credits_micros + 1 WHERE run_id = $1", [
        runId,
      ]),
  ],
  [
    /at work though all/,
    (world, { runId }) =>
      world.query("UPDATE runs SET status = 'running', completed_at = NULL WHERE id = $1", [runId]),
  ],
  [
    /held by a run that has ended/,
    (world, { runId }) =>
      world.query(
        `UPDATE conversations SET active_run_id = $1
         WHERE id = (SELECT conversation_id FROM runs WHERE id = $1)`,
        [runId],
      ),
  ],
  [
    /charges from after its end/,
    (world, { runId }) =>
      world.query("UPDATE run_usage SET created_at = now() + interval '1 hour' WHERE run_id = $1", [
        runId,
      ]),
  ],
  [
    /not exactly one delivery/,
    (world, { runId }) => world.query("DELETE FROM webhook_deliveries WHERE run_id = $1", [runId]),
  ],
  [
    /waits behind a run that has ended/,
    (world, { runId }) =>
      world.query(
        `INSERT INTO queued_runs (run_id, account_id, conversation_id, place)
         SELECT id, account_id, conversation_id, 1 FROM runs WHERE id = $1`,
        [runId],
      ),
  ],
  [
    /outlived what waited/,
    (world, { runId }) =>
      world.query(
        `INSERT INTO budget_waits (id, run_id, account_id, kind, turn, least_micros, status,
           expires_at)
         SELECT gen_random_uuid(), id, account_id, 'credits', 0, 1, 'waiting', now() FROM runs
         WHERE id = $1`,
        [runId],
      ),
  ],
  [
    /worked at once/,
    (world, { runId }) =>
      world.query(
        `UPDATE runs r SET conversation_id = o.conversation_id, started_at = o.started_at
         FROM (SELECT conversation_id, started_at FROM runs WHERE id <> $1 LIMIT 1) o
         WHERE r.id = $1`,
        [runId],
      ),
  ],
  [
    /a firing and a run/,
    (world, { runId }) =>
      world.query("UPDATE runs SET schedule_id = gen_random_uuid() WHERE id = $1", [runId]),
  ],
  [
    /person who was erased/,
    (world, { runId }) =>
      world.query("UPDATE runs SET end_user = 'somebody' WHERE id = $1", [runId]),
  ],
  [/its log shows the messages/, (world, { runId }) => tell(world, runId)],
  [/its model saw what it was told at -1/, (world, { runId }) => tell(world, runId)],
  [
    /does not begin with the one before/,
    async (world) =>
      world.model.promptFaults.push("r1: the prompt does not begin with the one before"),
  ],
  [
    /a start left two runs/,
    (world) => world.query('UPDATE runs SET metadata = \'{"key": "same"}\''),
  ],
  [
    /its log says/,
    (world, { runId }) =>
      world.query(
        "UPDATE runs SET result = jsonb_set(result, '{text}', '\"other words\"') WHERE id = $1",
        [runId],
      ),
  ],
  [
    /arrived under 2 ids/,
    async (world, { runId }) =>
      world.receiver.hooks.push({ at: 0, id: "another", runId, status: "completed", text: null }),
  ],
  [
    /nothing explains/,
    async (world, { key }) => {
      const [call] = world.model.callsOf(key);
      if (call) world.model.calls.push({ ...call, at: call.at + 1_000 });
    },
  ],
  [
    /idempotency keys/,
    async (world, { key }) => {
      for (const idempotencyKey of ["one", "two"])
        world.receiver.effects.push({ at: 0, idempotencyKey, key, turn: 0 });
    },
  ],
];

test("each invariant is told when it is broken, and none when nothing is", async ({ open }) => {
  const world = await open();
  const runs = await startRuns(world, BREAKS.length);
  await untilQuiet(world);
  await expectInvariants(world, runs);
  for (const [index, [, breakIt]] of BREAKS.entries()) await breakIt(world, runs[index] ?? fail());
  const said = await expectInvariants(world, runs).then(
    () => "nothing",
    (error: Error) => error.message,
  );
  for (const [expected] of BREAKS) expect(said).toMatch(expected);
});

/** A message that nobody has shown. */
function tell(world: World, runId: string): Promise<unknown> {
  return world.query(
    `INSERT INTO run_messages (id, run_id, account_id, position, due, input)
     SELECT gen_random_uuid(), id, account_id, 1, 'next_step', '"Be brief."' FROM runs
     WHERE id = $1`,
    [runId],
  );
}

function fail(): never {
  throw new Error("There are fewer runs than breaks.");
}
