import { setTimeout as delay } from "node:timers/promises";
import { CALLS } from "./calls.mjs";
import { HttpConnection } from "./http-connection.mjs";

/**
 * The client, a process of its own: what it costs must not be taken for the service's. Takes one
 * job at a time from its parent.
 */
const JOBS = { accept, oneRun, read, readBeside, streams, followElsewhere };
const RUN_LIMIT_MS = 120_000;
const STREAM_LIMIT_MS = 120_000;
const POLL_MS = 1;

process.on("message", async ({ job, plan }) => {
  try {
    process.send({ result: await JOBS[job](plan) });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
process.on("disconnect", () => process.exit(0));

/**
 * Starts runs over `clients` connections for `ms`, at most `most`, then waits until the last of
 * each connection is done. `sides` more than one: the connections are shared out among them.
 */
async function accept({ sides, model, clients, ms, most }) {
  const times = [];
  const statuses = {};
  const last = [];
  let left = most;
  const began = performance.now();
  let accepted = began;
  await Promise.all(
    Array.from({ length: clients }, async (_, number) => {
      const side = sides[number % sides.length];
      const calls = CALLS[side.name];
      const { path, body } = calls.start(model);
      const text = JSON.stringify(body);
      const connection = await HttpConnection.open(side.port);
      while (left-- > 0 && performance.now() - began < ms) {
        const at = performance.now();
        const answer = await connection.ask("POST", path, side.headers, text);
        accepted = performance.now();
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        if (answer.status >= 300) continue;
        times.push(accepted - at);
        last[number] = { side, path: calls.pathOf(JSON.parse(answer.body)) };
      }
      connection.close();
    }),
  );
  for (const { side, path } of last.filter(Boolean)) await untilDone(side, path, 10);
  const count = times.length;
  return {
    count,
    statuses,
    perSecond: count / ((accepted - began) / 1000),
    finishedPerSecond: count / ((performance.now() - began) / 1000),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** Milliseconds from the request to the answer that says `done`, each of `repeats` runs alone. */
async function oneRun({ sides: [side], model, repeats }) {
  const calls = CALLS[side.name];
  const { path, body } = calls.start(model);
  const times = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const connection = await HttpConnection.open(side.port);
    const began = performance.now();
    const answer = await connection.ask("POST", path, side.headers, JSON.stringify(body));
    await untilDone(side, calls.pathOf(JSON.parse(answer.body)), POLL_MS, connection);
    times.push(performance.now() - began);
    connection.close();
    await delay(30);
  }
  return { p50: quantile(times, 0.5) };
}

async function untilDone(side, path, pollMs, connection) {
  const calls = CALLS[side.name];
  const own = connection ?? (await HttpConnection.open(side.port));
  const began = performance.now();
  for (;;) {
    const { body } = await own.ask("GET", path, side.headers);
    const state = calls.stateOf(JSON.parse(body));
    if (state === "done") break;
    if (state === "failed") throw new Error(`${side.name}: a run failed: ${body.slice(0, 500)}`);
    if (performance.now() - began > RUN_LIMIT_MS)
      throw new Error(`${side.name}: a run is not done after ${RUN_LIMIT_MS / 1000} s.`);
    await delay(pollMs);
  }
  if (!connection) own.close();
}

/** Reads one ended run over `clients` connections for `ms`. */
async function read({ sides: [side], model, clients, ms }) {
  const calls = CALLS[side.name];
  const { path, body } = calls.start(model);
  const first = await HttpConnection.open(side.port);
  const run = calls.pathOf(
    JSON.parse((await first.ask("POST", path, side.headers, JSON.stringify(body))).body),
  );
  await untilDone(side, run, 10, first);
  first.close();
  const times = [];
  const statuses = {};
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = await HttpConnection.open(side.port);
      while (performance.now() - began < ms) {
        const at = performance.now();
        const { status } = await connection.ask("GET", run, side.headers);
        statuses[status] = (statuses[status] ?? 0) + 1;
        times.push(performance.now() - at);
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: (statuses[200] ?? 0) / seconds,
    count: times.length,
    statuses,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/**
 * As `read`, while `busy.count` runs of `busy.model` are under way that nobody follows. Their ends
 * are waited for.
 */
async function readBeside({ sides, busy, ...plan }) {
  const [side] = sides;
  const calls = CALLS[side.name];
  const { path, body } = calls.start(busy.model);
  const text = JSON.stringify(body);
  const connection = await HttpConnection.open(side.port);
  const started = [];
  for (let count = 0; count < busy.count; count++) {
    const answer = await connection.ask("POST", path, side.headers, text);
    if (answer.status >= 300)
      throw new Error(`The start of a run was answered with ${answer.status}.`);
    started.push(calls.pathOf(JSON.parse(answer.body)));
  }
  connection.close();
  const seen = await read({ sides, ...plan });
  for (const run of started) await untilDone(side, run, 50);
  return seen;
}

/**
 * Opens `count` streams at once and reads them to their ends. Times in ms since all were opened.
 */
async function streams({ sides: [side], model, count }) {
  const calls = CALLS[side.name];
  const { path, body } = calls.stream(model);
  const text = JSON.stringify(body);
  const connections = await Promise.all(
    Array.from({ length: count }, () => HttpConnection.open(side.streamPort ?? side.port)),
  );
  const began = performance.now();
  const one = async (connection) => {
    const seen = { first: null, token: null, tail: "" };
    const limit = setTimeout(() => connection.close(), STREAM_LIMIT_MS);
    try {
      const status = await connection.follow("POST", path, side.headers, text, (part) => {
        const now = performance.now() - began;
        seen.first ??= now;
        if (seen.token === null && part.includes("tok ")) seen.token = now;
        seen.tail = (seen.tail + part).slice(-20_000);
      });
      return {
        ...seen,
        status,
        isWhole: status === 200 && calls.isWhole(seen.tail),
        total: performance.now() - began,
      };
    } catch (error) {
      return { ...seen, status: error.message, isWhole: false, total: performance.now() - began };
    } finally {
      clearTimeout(limit);
      connection.close();
    }
  };
  const all = await Promise.all(connections.map(one));
  const whole = all.filter((stream) => stream.isWhole);
  const failed = all.find((stream) => !stream.isWhole);
  const p50 = (name) =>
    quantile(
      whole.map((stream) => stream[name]),
      0.5,
    );
  return {
    whole: whole.length,
    failure: failed && `${failed.status}: ${failed.tail.slice(-300)}`,
    total: p50("total"),
    first: p50("first"),
    token: p50("token"),
  };
}

/**
 * How much later a follower at another process sees each event of a run than the one who started
 * it: streams a run at the first of `sides`, follows it at the second, and compares when the lines
 * of one number arrived.
 */
async function followElsewhere({ sides: [here, there], model }) {
  const [starter, follower] = [
    await HttpConnection.open(here.port),
    await HttpConnection.open(there.port),
  ];
  const { path, body } = CALLS[here.name].stream(model);
  const [mine, theirs] = [new Map(), new Map()];
  let following;
  const onOwn = lineTimes(mine, (line) => {
    following ??= follower.follow(
      "GET",
      `/v1/runs/${line.run_id}/events`,
      there.headers,
      undefined,
      lineTimes(theirs, () => {}),
    );
  });
  await starter.follow("POST", path, here.headers, JSON.stringify(body), onOwn);
  await following;
  starter.close();
  follower.close();
  // The first ones were there before the follower came.
  const late = [...mine]
    .filter(([number]) => number > 5 && theirs.has(number))
    .map(([number, at]) => theirs.get(number) - at);
  return { p50: quantile(late, 0.5), p99: quantile(late, 0.99), lines: late.length };
}

/** Takes pieces of NDJSON; writes down when the line of each sequence number came. */
function lineTimes(times, onFirst) {
  let rest = "";
  let isFirst = true;
  return (part) => {
    const now = performance.now();
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const text of lines) {
      // A chunk's size, or a line that a chunk's end cuts.
      if (!text.startsWith("{") || !text.endsWith("}")) continue;
      const line = JSON.parse(text);
      times.set(line.sequence_number, now);
      if (isFirst) onFirst(line);
      isFirst = false;
    }
  };
}

function quantile(values, share) {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b);
  return sorted.length === 0
    ? null
    : sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
