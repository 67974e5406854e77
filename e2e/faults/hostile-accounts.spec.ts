import { createAccount, type TestAccount } from "../support/accounts";
import { until } from "../support/until";
import { expect, skipWithInngest, test } from "./support/fault-test";
import { startRun, untilQuiet } from "./support/load";

const MINUTES = Number(process.env.FAULT_MINUTES ?? 1);
const HOSTILE = 4;
/**
 * More than one account may have at work, so that the rest of them wait for a place at all times.
 */
const OPEN_RUNS = 200;
/** How long the slow models take for one run of theirs. */
const SLOW = { pieces: 40, pieceMs: 1_000 };
/** A run of one turn of an account that has nothing else at work, from its start to its end. */
const RUN_WITHIN_MS = 2_000;
const EVERY_MS = 3_000;

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test(`four slow accounts hold every place for ${MINUTES} min: a fifth's runs end in 2 s`, async ({
  open,
}) => {
  skipWithInngest(
    "places and turns of accounts are the executor's; its server has a queue of its own",
  );
  test.setTimeout((MINUTES + 10) * 60_000);
  const world = await open({ processes: 1 });
  const place = { DATABASE_URL: world.cluster.url(world.database), DATA_DIR: world.dataDir };
  const hostile: TestAccount[] = [];
  for (let index = 0; index < HOSTILE; index++)
    hostile.push(await createAccount("http://127.0.0.1", { credits: 1_000_000 }, place));
  const end = Date.now() + MINUTES * 60_000;

  const own = new Map(hostile.map(({ accountId }) => [accountId, new Set<string>()]));
  const hold = async (account: TestAccount) => {
    const runs = own.get(account.accountId) ?? new Set();
    while (Date.now() < end) {
      for (let more = OPEN_RUNS - runs.size; more > 0; more--)
        runs.add((await startRun(world, { account, hasWebhook: false, ...SLOW })).runId);
      const rows = await world.query<{ id: string }>(
        "SELECT id FROM runs WHERE account_id = $1 AND completed_at IS NOT NULL",
        [account.accountId],
      );
      for (const { id } of rows) runs.delete(id);
      await pause(1_000);
    }
  };
  const holding = Promise.all(hostile.map(hold));
  await until("every hostile account to have runs that wait", async () =>
    [...own.values()].every((runs) => runs.size >= OPEN_RUNS),
  );

  const took: number[] = [];
  while (Date.now() < end) {
    const startedAt = performance.now();
    const { runId } = await startRun(world, { hasWebhook: false, pieces: 1 });
    await until(
      "the fifth account's run to end",
      async () => {
        const answer = await world.api().get(`/v1/runs/${runId}`);
        // Required by the schema.
        return (answer.json() as { status: string }).status === "completed";
      },
      { everyMs: 20 },
    );
    took.push(performance.now() - startedAt);
    await pause(EVERY_MS);
  }
  took.sort((one, other) => one - other);
  const at = (share: number) => Math.round(took[Math.ceil(took.length * share) - 1] ?? 0);
  const [{ waiting } = { waiting: 0 }] = await world.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM engine_runs WHERE status = 'active' AND queued",
  );
  console.log(
    `  measured: ${took.length} runs, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms; ` +
      `${waiting} of the others' wait`,
  );
  expect(waiting).toBeGreaterThan(0);
  expect(at(1)).toBeLessThanOrEqual(RUN_WITHIN_MS);
  await holding;
  for (const account of hostile)
    for (const runId of own.get(account.accountId) ?? [])
      await world.api(0, account).post(`/v1/runs/${runId}/cancel`);
  await untilQuiet(world);
});
