import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RunStream } from "../support/run-log";
import { until } from "../support/until";
import { expect, skipWithInngest, skipWithoutInngest, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { type Started, startRun, startRuns, untilAsked, untilQuiet } from "./support/load";
import type { World } from "./support/world";

const WEB = { LATHE_ROLES: "web" };
const WORKER = { LATHE_ROLES: "worker" };
const WEBS = [0, 1];
const ALL = [WEB, WEB, WORKER, WORKER];
const SELF_HOSTING = readFileSync(
  fileURLToPath(new URL("../../docs/self-hosting.md", import.meta.url)),
  "utf8",
);
const CONNECTIONS_MAX = Number(/opens up to (\d+) connections/.exec(SELF_HOSTING)?.[1]);

const isTerminal = (type: string) => /^run\.(completed|failed|cancelled)$/.test(type);

/** The numbers of a stream's lines, without those of its pings. */
const numbersOf = (lines: object[]) =>
  lines.flatMap((line) => ("sequence_number" in line ? [line.sequence_number] : []));

/** Reads a run's stream until its web goes away, then at another one from the last line on. */
async function followThrough(world: World, { runId }: Started, stream: RunStream, other: number) {
  const numbers: unknown[] = [];
  const read = async (from: RunStream) => {
    for (;;) {
      const line = await from.next().catch(() => null);
      if (line === null) return false;
      numbers.push(...numbersOf([line]));
      if (isTerminal(line.type)) return true;
    }
  };
  if (!(await read(stream))) {
    const last = Number(numbers.at(-1) ?? -1);
    const rest = await RunStream.follow(world.api(other), runId, last);
    expect(await read(rest)).toBe(true);
  }
  expect(numbers).toEqual(numbers.map((_, index) => index));
  expect(numbers.length).toBeGreaterThan(2);
}

test("two webs and two workers: runs lose nothing when each is killed in turn", async ({
  open,
}) => {
  const world = await open({ processes: 4, environments: ALL });
  const runs: Started[] = [];
  for (const [index] of ALL.entries()) {
    const survivor = index === 0 ? 1 : 0;
    const held = await startRuns(world, 4, { holdAfter: 3, pieces: 6, processes: WEBS });
    runs.push(...held);
    await untilAsked(world, held);
    const [run] = held;
    if (!run) throw new Error("There is no run to follow.");
    const streams = await Promise.all(
      WEBS.map((web) => RunStream.follow(world.api(web), run.runId)),
    );
    const follows = streams.map((stream) => followThrough(world, run, stream, survivor));
    const [owners] = await world.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM engine_runs JOIN engine_processes p ON p.id = owner
       WHERE (p.identity::json ->> 'pid')::int = ANY($1::int[])`,
      [WEBS.map((web) => world.process(web).service.pid)],
    );
    expect(owners?.count).toBe(0);
    await world.kill(index);
    world.model.release(...held.map(({ key }) => key));
    await Promise.all(follows);
    const more = await startRuns(world, 3, { processes: [survivor] });
    runs.push(...more);
    await untilQuiet(world);
    await world.restart(index);
  }
  await expectInvariants(world, runs);
});

test("a web works on nothing: its runs wait for a worker, and it says so", async ({ open }) => {
  skipWithInngest("lanes are the executor's; the test below has runs of an Inngest server wait");
  const world = await open({ processes: 2, environments: [WEB, { WORKER_CONCURRENCY: "0" }] });
  const runs = await startRuns(world, 4);
  const readyOf = async (index: number) => {
    const answer = await fetch(`${world.process(index).service.baseUrl}/api/ready`);
    // As documented.
    return { status: answer.status, body: (await answer.json()) as { stalled_lanes?: string[] } };
  };
  for (const web of WEBS)
    await until("the lane that takes nothing to be told", async () => {
      const { status, body } = await readyOf(web);
      return status === 503 && body.stalled_lanes?.includes("runs") === true;
    });
  expect(runs.flatMap(({ key }) => world.model.callsOf(key))).toEqual([]);
  await world.addProcess(WORKER);
  await untilQuiet(world);
  for (const index of [0, 1, 2])
    await until("readiness", async () => (await readyOf(index)).status === 200);
  const { baseUrl } = world.process(2).service;
  const statusOf = async (path: string) => (await fetch(`${baseUrl}${path}`)).status;
  expect(await statusOf("/api/health")).toBe(200);
  for (const path of ["/", "/v1/runs", "/sign-in"])
    expect([path, await statusOf(path)]).toEqual([path, 503]);
  expect(await statusOf("/metrics")).toBe(404);
  // A cancel at a web reaches the run at its worker.
  const cancelled = await startRun(world, { holdAfter: 2 });
  await untilAsked(world, [cancelled]);
  await world.api(0).post(`/v1/runs/${cancelled.runId}/cancel`);
  await untilQuiet(world);
  await expectInvariants(world, [...runs, cancelled], { explains: [], mayFail: [cancelled] });
});

test("with an Inngest server: what a web accepts without a worker the next one works on", async ({
  open,
}) => {
  skipWithoutInngest();
  const world = await open({ processes: 2, environments: [WEB, WORKER] });
  await world.kill(1);
  const runs = await startRuns(world, 4, { processes: [0] });
  await world.addProcess(WORKER);
  await untilQuiet(world);
  expect((await fetch(`${world.process(0).service.baseUrl}/api/inngest`)).status).toBe(404);
  await expectInvariants(world, runs, { explains: [] });
});

test("an instance opens no more connections than documented, however much is asked", async ({
  open,
}) => {
  const world = await open();
  const api = world.api(0);
  const runs = await startRuns(world, 60, { pieces: 60, pieceMs: 50, hasWebhook: false });
  const streams = await Promise.all(
    runs.slice(0, 20).map(({ runId }) => RunStream.follow(api, runId)),
  );
  let most = 0;
  let isOver = false;
  const count = async () => {
    while (!isOver) {
      const [row] = await world.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()
           AND pid <> pg_backend_pid()`,
      );
      most = Math.max(most, row?.count ?? 0);
    }
  };
  const counting = count();
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 60 }, () => api.get("/v1/runs").catch(() => null)));
  for (const stream of streams) for (; (await stream.next()) !== null; );
  await untilQuiet(world);
  isOver = true;
  await counting;
  console.log(`  measured: ${most} connections`);
  expect(most).toBeLessThanOrEqual(CONNECTIONS_MAX);
  // Else nothing was asked of it.
  expect(most).toBeGreaterThan(CONNECTIONS_MAX / 2);
});
