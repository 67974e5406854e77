import { execFileSync } from "node:child_process";
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../support/servers";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { Lab } from "./support/lab";
import { newKey, type Started, startRun, startRuns, untilAsked, untilQuiet } from "./support/load";
import { World } from "./support/world";

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/**
 * Runs in each state that an outage can find them in: held by their model, in the middle of their
 * words, about to call a tool. That they began is flushed.
 */
async function runsAtWork(world: World): Promise<{ runs: Started[]; held: Started[] }> {
  const agentId = await world.newAgent();
  const held = await startRuns(world, 12, { holdAfter: 3, pieces: 6 });
  const talking = await startRuns(world, 4, { pieces: 80, pieceMs: 150 });
  const calling = await startRuns(world, 4, { agentId, toolTurns: 3, pieces: 20, pieceMs: 50 });
  const runs = [...held, ...talking, ...calling];
  await untilAsked(world, runs);
  await world.cluster.flush();
  return { runs, held };
}

async function expectNothingDoubled(world: World, runs: Started[], held: Started[]): Promise<void> {
  // Some seconds more than it takes to find that the database is there again.
  await pause(4_000);
  world.model.release(...held.map(({ key }) => key));
  await untilQuiet(world, 180_000);
  for (const { key } of held) expect(world.model.callsOf(key).length, `calls of ${key}`).toBe(1);
  await expectInvariants(world, runs, { explains: [] });
}

for (const [what, end] of [
  ["is killed", (world: World) => world.cluster.kill()],
  ["is shut down", (world: World) => world.cluster.stop()],
] as const) {
  const mark = what === "is killed" ? "@short " : "";
  test(`${mark}PostgreSQL ${what} for 6 s: nobody is taken for dead, nothing doubled`, async ({
    open,
  }) => {
    const world = await open({ processes: 2 });
    const { runs, held } = await runsAtWork(world);
    await end(world);
    const meanwhile = startRuns(world, 3);
    meanwhile.catch(() => undefined); // told below
    await pause(6_000);
    await world.cluster.start();
    await expectNothingDoubled(world, [...runs, ...(await meanwhile)], held);
  });
}

test("a crash before a turn's beginning is flushed: that one is asked again, and all end", async ({
  open,
}) => {
  const world = await open({ processes: 2 });
  const { runs, held } = await runsAtWork(world);
  world.model.release(...held.map(({ key }) => key));
  await untilQuiet(world, 180_000);
  // Nothing else writes now; what does not wait for its flush is not flushed for ten seconds.
  await world.cluster.set("wal_writer_delay", "10s");
  const begun = await startRuns(world, 1, { holdAfter: 0, pieces: 6 });
  await untilAsked(world, begun);
  const crash = { at: Date.now(), what: "PostgreSQL crashes" };
  await world.cluster.kill();
  await world.cluster.start();
  await world.cluster.set("wal_writer_delay", "200ms");
  world.model.release(...begun.map(({ key }) => key));
  await expectNothingDoubled(world, runs, held);
  await expectInvariants(world, begun, { explains: [crash] });
  for (const { key } of begun) expect(world.model.callsOf(key).length, `calls of ${key}`).toBe(2);
});

test("PostgreSQL comes back elsewhere: both processes go on, and no model call is doubled", async ({
  open,
}) => {
  const world = await open({ processes: 2 });
  const { runs, held } = await runsAtWork(world);
  await world.cluster.stop();
  await world.cluster.start(await freePort());
  for (const { database } of world.processes) database.retarget(world.cluster.port);
  await expectNothingDoubled(world, runs, held);
});

test("a fail-over to a standby loses nothing accepted, and no model call is doubled", async () => {
  test.setTimeout(400_000);
  const lab = await Lab.open();
  let world: World | null = null;
  try {
    world = await World.open(lab, { processes: 2 });
    const standby = await lab.cluster.standby(path.join(lab.folder, "standby"));
    try {
      const { runs, held } = await runsAtWork(world);
      await lab.cluster.kill();
      const meanwhile = startRuns(world, 3);
      meanwhile.catch(() => undefined); // told below
      await standby.promote();
      world.failOver(standby);
      await expectNothingDoubled(world, [...runs, ...(await meanwhile)], held);
    } finally {
      await standby.kill();
    }
  } finally {
    await world?.close();
    await lab.close();
  }
});

test("ten short outages within one step end no run", async ({ open }) => {
  const world = await open({ processes: 2 });
  const runs = await startRuns(world, 4, { holdAfter: 3, pieces: 6 });
  await untilAsked(world, runs);
  for (let outage = 0; outage < 12; outage++) {
    await world.cluster.stop();
    await pause(500);
    await world.cluster.start();
    await pause(1_500);
  }
  await expectNothingDoubled(world, runs, runs);
});

test("a full disk: starts are refused, readiness tells, a run completes later", async () => {
  test.setTimeout(300_000);
  const place = mountSmallDisk();
  if (!place)
    return void test
      .info()
      .annotations.push({ type: "skipped", description: "this user may not mount a file system" });
  let lab: Lab | null = null;
  let world: World | null = null;
  try {
    lab = await Lab.open(place);
    world = await World.open(lab);
    const live = await startRuns(world, 3, { holdAfter: 3, pieces: 400 });
    await untilAsked(world, live);
    const filler = path.join(place, "filler");
    fill(filler);
    const refused = await refusalOfStarts(world);
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining("SERVICE_UNAVAILABLE"),
    ]);
    expect(refused.headers.get("retry-after")).toBeTruthy();
    const { baseUrl } = world.process(0).service;
    const readyStatus = async () => (await fetch(`${baseUrl}/api/ready`)).status;
    // A write that succeeded tells for ten seconds.
    await until("the full disk to be told", async () => (await readyStatus()) === 503, {
      deadlineMs: 30_000,
    });
    world.model.release(...live.map(({ key }) => key));
    await pause(3_000);
    rmSync(filler);
    const later = await startRun(world);
    await untilQuiet(world);
    await expectInvariants(world, [...live, later], { explains: [] });
  } finally {
    await world?.close();
    await lab?.close();
    execFileSync("umount", [place]);
    rmSync(place, { recursive: true });
  }
});

/** A folder that holds 200 MiB; null where nobody may mount one. */
function mountSmallDisk(): string | null {
  const place = mkdtempSync(path.join(tmpdir(), "lathe-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=200m", "tmpfs", place], { stdio: "ignore" });
    chmodSync(place, 0o755);
    return place;
  } catch {
    rmSync(place, { recursive: true });
    return null;
  }
}

function fill(file: string): void {
  const handle = openSync(file, "w");
  try {
    for (;;) writeSync(handle, Buffer.alloc(64 * 1024, 1));
  } catch (error) {
    // What Node throws for a call of the system.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    closeSync(handle);
  }
}

/** The first start that finds no room: pages that are there already take some. */
async function refusalOfStarts(world: World) {
  return until(
    "a start to be refused",
    async () => {
      const text = `${newKey(world)} ${"x".repeat(20_000)}${Math.random()}`;
      const answer = await world.api().post("/v1/runs", { input: { text } });
      return answer.status !== 202 && answer;
    },
    { everyMs: 1 },
  );
}
