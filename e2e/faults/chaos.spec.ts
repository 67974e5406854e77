import { until } from "../support/until";
import { test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import {
  approvedRun,
  build,
  consultingRun,
  firing,
  newConsultingAgent,
  newLeadingAgent,
  raisedFamily,
  raisedRun,
  superAgentRun,
} from "./support/kinds";
import type { LabAccount } from "./support/lab";
import { type Started, startRun, untilQuiet } from "./support/load";
import {
  askingRun,
  erasedPerson,
  followedRun,
  newAskingAgent,
  steeredRun,
} from "./support/spoken-kinds";
import type { World } from "./support/world";

const RUNS = Number(process.env.FAULT_RUNS ?? 60);
const MINUTES = Number(process.env.FAULT_MINUTES ?? 1);
/** Comma separated. */
const SEEDS = (process.env.FAULT_SEED ?? "1").split(",").map(Number);
const PROCESSES = 2;

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

for (const seed of SEEDS)
  test(`${RUNS} runs over ${MINUTES} min (seed ${seed}) of random faults: all end once`, async ({
    open,
  }) => {
    test.setTimeout((MINUTES + 20) * 60_000);
    const random = randomOf(seed);
    const world = await open({ processes: PROCESSES });
    const agents = {
      own: await newAgents(world, world.account),
      others: await newAgents(world, world.otherAccount),
    };
    const end = Date.now() + MINUTES * 60_000;
    const breaking = breakThings(world, random, end);
    const starts: Promise<Started[]>[] = [];
    for (let index = 0; index < RUNS; index++) {
      starts.push(oneOf(world, random, agents));
      await pause(Math.max(0, (end - Date.now()) / (RUNS - index)));
    }
    const runs = (await Promise.all(starts)).flat();
    await breaking;
    // Deliveries that met a fault come again after 30 s, or two minutes.
    await untilQuiet(world, 300_000);
    console.log(`  measured: ${summary(world, runs)}`);
    await expectInvariants(world, runs);
  });

interface Agents {
  recording: string;
  asking: string;
  consulting: string;
  questioning: string;
  leading: string;
}

async function newAgents(world: World, account: LabAccount): Promise<Agents> {
  const recording = await world.newAgent(account);
  return {
    recording,
    asking: await world.newAgent(account, "approval_required"),
    consulting: await newConsultingAgent(world, account),
    questioning: await newAskingAgent(world, account),
    leading: await newLeadingAgent(world, recording, account),
  };
}

/**
 * Work of one of all kinds; plain runs are sometimes cancelled, or followed by the next one of
 * their conversation.
 */
async function oneOf(
  world: World,
  random: () => number,
  agents: { own: Agents; others: Agents },
): Promise<Started[]> {
  const isOwn = random() < 0.7;
  const account = isOwn ? world.account : world.otherAccount;
  const { recording, asking, consulting, questioning, leading } = isOwn
    ? agents.own
    : agents.others;
  const plan = { pieces: 5 + Math.floor(random() * 40), pieceMs: 20 + Math.floor(random() * 100) };
  const kind = random();
  if (kind < 0.06) return [await approvedRun(world, asking, plan, account)];
  if (kind < 0.12) return [await consultingRun(world, consulting, plan, account)];
  if (kind < 0.18) return [await superAgentRun(world, recording, plan, account)];
  if (kind < 0.24) return [await build(world, account)];
  if (kind < 0.27) return [await firing(world, recording, plan, account)];
  if (kind < 0.3) return [await firing(world, recording, plan, account, "hand")];
  if (kind < 0.38) return [await steeredRun(world, recording, plan, account)];
  if (kind < 0.43) return [await askingRun(world, questioning, plan, account)];
  if (kind < 0.48) return [await raisedRun(world, recording, plan, account)];
  if (kind < 0.54) return [await raisedFamily(world, leading, plan, account)];
  if (kind < 0.59) return followedRun(world, "queue", plan, account);
  if (kind < 0.64) return followedRun(world, "interrupt", plan, account);
  if (kind < 0.68) {
    await erasedPerson(world, recording, plan, account);
    return [];
  }
  const withTools =
    random() < 0.5 ? { agentId: recording, toolTurns: 1 + Math.floor(random() * 3) } : {};
  const fate = random();
  const first = await startRun(world, { account, ...plan, ...withTools });
  if (fate < 0.05) {
    await untilAnswered(world, async (process) => {
      const answer = await world.api(process, account).post(`/v1/runs/${first.runId}/cancel`);
      return answer.status < 300;
    });
    return [{ ...first, mayFail: true }];
  }
  if (fate > 0.15) return [first];
  const [row] = await untilRead(world, first);
  return [
    first,
    await startRun(world, { account, ...plan, ...withTools, conversationId: row?.id }),
  ];
}

/** The conversation of a run that has ended. */
function untilRead(world: World, run: Started) {
  const query = "SELECT conversation_id AS id FROM runs WHERE id = $1 AND completed_at IS NOT NULL";
  return until(
    "a run to end before the next of its conversation",
    async () => {
      const rows = await world.query<{ id: string }>(query, [run.runId]).catch(() => []);
      return rows.length > 0 && rows;
    },
    { deadlineMs: 600_000, everyMs: 500 },
  );
}

async function untilAnswered(
  world: World,
  ask: (process: number) => Promise<boolean>,
): Promise<void> {
  let tries = 0;
  await until("an answer", () => ask(tries++ % world.processes.length).catch(() => false), {
    deadlineMs: 300_000,
    everyMs: 300,
  });
}

/** One fault after the other, each healed before the next. */
async function breakThings(world: World, random: () => number, end: number): Promise<void> {
  while (Date.now() < end) {
    await pause(1_000 + random() * 6_000);
    const process = Math.floor(random() * PROCESSES);
    const kind = random();
    const away = 200 + random() * 4_000;
    if (kind < 0.25) await killAndRestart(world, process, away);
    else if (kind < 0.4) await stopAndRestart(world, process, away);
    else if (kind < 0.6) await stopAndWake(world, process, 3_000 + random() * 17_000);
    else if (kind < 0.75) await restartDatabase(world, "kill", away);
    else if (kind < 0.9) await restartDatabase(world, "stop", away);
    else {
      world.note(`cut ${process}`);
      world.process(process).database.cut();
      world.engine?.link.cut();
    }
  }
}

async function killAndRestart(world: World, process: number, away: number): Promise<void> {
  await world.kill(process);
  await pause(away);
  await world.restart(process);
}

/** As a deploy does it: SIGTERM, which cuts the calls that take too long for it. */
async function stopAndRestart(world: World, process: number, away: number): Promise<void> {
  await world.stop(process);
  await pause(away);
  await world.restart(process);
}

async function stopAndWake(world: World, process: number, away: number): Promise<void> {
  world.freeze(process);
  await pause(away);
  world.thaw(process);
}

async function restartDatabase(world: World, how: "kill" | "stop", away: number): Promise<void> {
  world.note(`database ${how}`);
  await world.cluster[how]();
  await pause(away);
  await world.cluster.start();
  world.note("database back");
}

function summary(world: World, runs: Started[]): string {
  const kinds = new Map<string, number>();
  for (const { what } of world.faults) kinds.set(what, (kinds.get(what) ?? 0) + 1);
  const faults = [...kinds].map(([what, count]) => `${what} ${count}`).join(", ");
  return (
    `${runs.length} runs, ${world.model.calls.length} model calls, ` +
    `${world.receiver.hooks.length} webhooks; ${faults}`
  );
}

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
