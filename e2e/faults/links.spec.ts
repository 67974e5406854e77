import { until } from "../support/until";
import { expect, skipWithoutInngest, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { startRun, startRuns, untilAsked, untilQuiet } from "./support/load";
import type { World } from "./support/world";

/** How long a link is broken: longer than what a process may take to notice. */
const BROKEN_MS = 8_000;

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

type LinkName = "database" | "model" | "receiver";

function linkOf(world: World, name: LinkName) {
  return {
    database: world.process(0).database,
    model: world.modelLink,
    receiver: world.receiverLink,
  }[name];
}

for (const [link, mode] of [
  ["database", "reset"],
  ["database", "blackhole"],
  ["database", 200],
  ["model", "blackhole"],
  ["model", 500],
  ["receiver", "reset"],
  ["receiver", "blackhole"],
  ["receiver", 500],
] as const) {
  const what =
    typeof mode === "number"
      ? `answers ${mode} ms late`
      : mode === "reset"
        ? "is cut"
        : "carries nothing";
  test(`the way to the ${link} ${what} for a while: runs complete, nothing is done twice`, async ({
    open,
  }) => {
    const world = await open();
    const agentId = await world.newAgent();
    const before = await startRuns(world, 6, { agentId, toolTurns: 1, pieces: 10, pieceMs: 100 });
    await untilAsked(world, before);
    world.note(`${link} ${mode}`);
    linkOf(world, link).setMode(mode);
    const meanwhile = startRuns(world, 4, { agentId, toolTurns: 1 });
    meanwhile.catch(() => undefined); // told below
    await pause(BROKEN_MS);
    linkOf(world, link).setMode("pass");
    const runs = [...before, ...(await meanwhile)];
    await untilQuiet(world, 180_000);
    // A model that is cut off in the middle of its words is asked again; a database or a receiver
    // that is away is no reason to.
    await expectInvariants(world, runs, { explains: link === "model" ? world.faults : [] });
  });
}

for (const [mode, what] of [
  ["reset", "is cut"],
  ["blackhole", "carries nothing"],
  [300, "answers 300 ms late"],
] as const)
  test(`the way to the Inngest server ${what} a while: runs complete, once`, async ({ open }) => {
    skipWithoutInngest();
    const world = await open();
    const agentId = await world.newAgent();
    const before = await startRuns(world, 6, { agentId, toolTurns: 2, pieces: 10, pieceMs: 100 });
    await untilAsked(world, before);
    const { link } = world.engineLinks;
    link.setMode(mode);
    // Refused until the server is there again, and asked for until then.
    const meanwhile = startRuns(world, 4, { agentId, toolTurns: 1 });
    meanwhile.catch(() => undefined); // told below
    await pause(BROKEN_MS);
    link.setMode("pass");
    const runs = [...before, ...(await meanwhile)];
    await untilQuiet(world, 180_000);
    await expectInvariants(world, runs, { explains: [] });
  });

test("the answer to an event or a step's result of Inngest is lost: neither is done again", async ({
  open,
}) => {
  skipWithoutInngest();
  const world = await open();
  const agentId = await world.newAgent();
  const { link } = world.engineLinks;
  const runs = [];
  // Connections are kept, so that a request need not be its packet's first.
  for (const [pattern, skip] of [
    [/POST \/e\//, 0],
    [/POST \/v1\/checkpoint/, 0],
    [/POST \/v1\/checkpoint/, 2],
  ] as const) {
    const before = link.swallowed;
    link.swallowAnswers(pattern, 1, skip);
    runs.push(await startRun(world, { agentId, toolTurns: 2, pieces: 6, pieceMs: 20 }));
    await untilQuiet(world);
    expect(link.swallowed, `${pattern.source}, behind ${skip}`).toBeGreaterThan(before);
  }
  console.log(`  measured: ${link.swallowed} answers swallowed`);
  await expectInvariants(world, runs, { explains: [] });
});

test("the Inngest server's calls are cut: it repeats them, every run completes once", async ({
  open,
}) => {
  skipWithoutInngest();
  const world = await open({ processes: 2 });
  const agentId = await world.newAgent();
  const held = await startRuns(world, 6, { agentId, toolTurns: 1, holdAfter: 3, pieces: 6 });
  const talking = await startRuns(world, 4, { pieces: 40, pieceMs: 200 });
  await untilAsked(world, [...held, ...talking]);
  world.note("calls cut");
  world.engineLinks.calls.cut();
  world.model.release(...held.map(({ key }) => key));
  await untilQuiet(world, 180_000);
  await expectInvariants(world, [...held, ...talking]);
});

test("the model is away: runs complete, or end as MODEL_UNAVAILABLE, paid like any", async ({
  open,
}) => {
  const world = await open();
  const runs = await startRuns(world, 6, { pieces: 10, pieceMs: 100 });
  await untilAsked(world, runs);
  world.note("model away");
  world.modelLink.setMode("reset");
  runs.push(...(await startRuns(world, 4)));
  await pause(BROKEN_MS);
  world.modelLink.setMode("pass");
  await untilQuiet(world);
  const codes = await world.query<{ code: string }>(
    "SELECT DISTINCT error->>'code' AS code FROM runs WHERE error IS NOT NULL",
  );
  expect(["MODEL_UNAVAILABLE"]).toEqual(expect.arrayContaining(codes.map(({ code }) => code)));
  await expectInvariants(world, runs, { mayFail: runs });
});

test("the model's connections are cut amid its words: it is asked anew, runs complete", async ({
  open,
}) => {
  const world = await open();
  const runs = await startRuns(world, 6, { holdAfter: 5, pieces: 10 });
  await untilAsked(world, runs);
  world.note("model cut");
  world.modelLink.cut();
  world.model.release(...runs.map(({ key }) => key));
  await untilQuiet(world);
  await expectInvariants(world, runs);
});

for (const [what, pattern, step] of [
  ["an acceptance", /accept_run/i, 1],
  [
    "a write",
    /begin_model_turn|append_run_log|store_turn|store_tool_result|complete_run|end_run|insert |update |delete /i,
    3,
  ],
] as const) {
  test(`the database does ${what} and the answer is lost: it is not done again`, async ({
    open,
  }) => {
    const world = await open();
    const agentId = await world.newAgent();
    const { database } = world.process(0);
    const runs = [];
    // Each time it is another one of a run's.
    for (let round = 0; round < 8; round++) {
      // Named statements go over the wire once a connection: only a new one shows its text.
      database.cut();
      database.swallowAnswers(pattern, 1, round * step);
      runs.push(await startRun(world, { agentId, toolTurns: 1, pieces: 6, pieceMs: 20 }));
      await untilQuiet(world);
    }
    // With an Inngest server a run writes less: the last one's answer may not be lost yet.
    database.swallowAnswers(pattern, 0);
    expect(database.swallowed).toBeGreaterThan(0);
    await expectInvariants(world, runs, { explains: [] });
  });
}

test("a receiver's answer to a webhook or an effect is lost: it comes again by its id", async ({
  open,
}) => {
  const world = await open();
  const agentId = await world.newAgent();
  world.receiverLink.swallowAnswers(/POST \/hooks/, 2);
  const runs = await startRuns(world, 2, { agentId, toolTurns: 1 });
  await untilQuiet(world);
  expect(world.receiverLink.swallowed).toBe(2);
  for (const { runId } of runs)
    expect(world.receiver.hooks.filter((hook) => hook.runId === runId)).toHaveLength(2);
  await expectInvariants(world, runs);
});

test("the model's words are lost: it is asked again, and the log says the later answer", async ({
  open,
}) => {
  const world = await open();
  world.modelLink.swallowAnswers(/POST \/v1\/chat/, 2);
  const runs = await startRuns(world, 4, { pieces: 6 });
  await untilQuiet(world);
  expect(world.modelLink.swallowed).toBe(2);
  world.faults.push(...world.model.calls.map(({ at }) => ({ at, what: "swallowed" })));
  await expectInvariants(world, runs);
});

test("dead connections to the database are replaced: runs go on within 45 s", async ({ open }) => {
  const world = await open();
  const before = await startRuns(world, 4, { holdAfter: 3, pieces: 6 });
  await untilAsked(world, before);
  world.process(0).database.blackholeOpen();
  const startedAt = Date.now();
  const after = await startRun(world);
  world.model.release(...before.map(({ key }) => key));
  await untilQuiet(world);
  console.log(`  measured: ${Date.now() - startedAt} ms to the end of all runs`);
  expect(Date.now() - startedAt).toBeLessThan(45_000);
  await expectInvariants(world, [...before, after], { explains: [] });
});

test("one account's locked row costs that account only", async ({ open }) => {
  const world = await open();
  const own = await startRuns(world, 1);
  await untilQuiet(world);
  const { default: pg } = await import("pg");
  const holder = new pg.Client({ connectionString: world.cluster.url(world.database) });
  await holder.connect();
  const locked: Promise<unknown>[] = [];
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [
      world.account.accountId,
    ]);
    for (let index = 0; index < 40; index++) {
      const body = { input: { text: "waits for the lock" } };
      locked.push(
        world
          .api()
          .post("/v1/runs", body)
          .catch(() => null),
      );
    }
    await until("the locked account's starts to wait for its row", async () => {
      const [row] = await world.query<{ count: string }>(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      );
      return Number(row?.count) > 0;
    });
    const other = world.otherAccount;
    for (let index = 0; index < 10; index++) {
      const answer = await world
        .api(0, other)
        .get("/v1/runs", { signal: AbortSignal.timeout(5_000) });
      expect(answer.status).toBe(200);
    }
    own.push(...(await startRuns(world, 3, { account: other })));
    await until(
      "the other account's runs to end",
      async () => {
        const rows = await world.query(
          "SELECT 1 FROM runs WHERE account_id = $1 AND completed_at IS NULL",
          [other.accountId],
        );
        return rows.length === 0;
      },
      { deadlineMs: 9_000 },
    );
  } finally {
    await holder.query("ROLLBACK").catch(() => undefined);
    await holder.end();
  }
  await Promise.all(locked);
  await untilQuiet(world);
  await expectInvariants(world, own);
});
