import "../scripts/setup/on-supported-node.mjs";

import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { prepare } from "../scripts/setup/prepare.mjs";
import { print, progress } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { CASES } from "./cases.mjs";
import { isInstalled, PEERS } from "./peer-packages.mjs";
import { cpuSeconds, forkChild, forkReporting } from "./processes.mjs";
import { belowFloor, judge, keepResults, summarize, toTable, toTargetTable } from "./report.mjs";
import { startLanggraph } from "./start-langgraph.mjs";
import { startDbos, startReference, startRestate } from "./start-peers.mjs";
import { startService } from "./start-service.mjs";
import { reportStatements } from "./statements.mjs";
import { TARGETS } from "./targets.mjs";

/**
 * `npm run bench`: the service in its production build beside what else can be had on this machine,
 * by turns, and which of the targets it meets. All on loopback, and client, model server, databases
 * and sides on the same processors: ratios count, not single figures. docs/performance.md says how
 * to read it.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const QUIET_LIMIT_MS = 30_000;

/** How each side is started, those that are installed by `bench:peers` first. */
const STARTS = {
  langgraph: ["LangGraph's development server", startLanggraph],
  dbos: ["DBOS", startDbos],
  restate: ["Restate", startRestate],
  service: ["the service", startService],
  reference: ["the reference", startReference],
};

const USAGE = `npm run bench -- [--rounds N] [--only CASE,…] [--sides SIDE,…] [--quick] [--short] \
[--statements] [--keep]
Cases: ${CASES.map(({ name }) => name).join(", ")}. Sides: ${Object.keys(STARTS).join(", ")}.`;

await runScript(async (shutdown) => {
  const options = readOptions(process.argv.slice(2));
  await prepare({ root: ROOT });
  const { said } = await forkReporting("model-server.mjs", {}, shutdown);
  const modelUrl = `http://127.0.0.1:${said.port}/v1`;
  const client = startClient(shutdown);
  if (options.statements) {
    const service = await progress("Starting the service", () =>
      startService({ root: ROOT, modelUrl }, shutdown),
    );
    print(await reportStatements(service));
  } else {
    const sides = await startSides(options, modelUrl, shutdown);
    const results = await measure(options, sides, { client, modelPort: said.port });
    const rows = summarize(options.cases, results);
    const judged = judge(TARGETS, rows);
    const table = `${toTable(rows)}\n\n${toTargetTable(judged)}`;
    print(
      `\n${cpus().length} processors (${cpus()[0].model.trim()}), Node ${process.versions.node}, ` +
        `${options.rounds} rounds, medians\n\n${table}`,
    );
    if (options.keep)
      print(
        "\nKept in " +
          `${keepResults({ root: ROOT, rows, judged, results, table, rounds: options.rounds })}`,
      );
    if (options.short) requireFloors(rows);
  }
  await shutdown.run();
  process.exit(0);
});

async function startSides({ sides }, modelUrl, shutdown) {
  const started = [];
  for (const [name, [title, start]] of Object.entries(STARTS)) {
    if (!sides.includes(name)) continue;
    if (PEERS[name] && !isInstalled(name))
      print(`  ${title} is not installed: npm run task -- bench:peers ${name}`);
    else
      started.push(
        await progress(`Starting ${title}`, () => start({ root: ROOT, modelUrl }, shutdown)),
      );
  }
  return started;
}

/** `client(job, sides, plan)` has the client's process do a job. */
function startClient(shutdown) {
  const child = forkChild("client.mjs", {}, shutdown);
  let last = Promise.resolve();
  const client = (job, sides, plan) => {
    const targets = [sides]
      .flat()
      .map(({ name, port, streamPort, headers }) => ({ name, port, streamPort, headers }));
    const done = last.then(
      () =>
        new Promise((resolve, reject) => {
          child.once("message", ({ result, error }) =>
            error ? reject(new Error(error)) : resolve(result),
          );
          child.send({ job, plan: { ...plan, sides: targets } });
        }),
    );
    last = done.catch(() => {});
    return done;
  };
  return client;
}

async function measure({ cases, rounds, quick }, sides, { client, modelPort }) {
  const results = {};
  for (const side of sides) await warmUp(side, client);
  for (let round = 0; round < rounds; round++) {
    for (const item of cases) {
      const model = item.withModel
        ? await item.run({
            client,
            side: { name: "model", port: modelPort, headers: {}, pids: [] },
            quick,
          })
        : null;
      const wanted = sides.filter(({ name }) => !item.sides || item.sides.includes(name));
      for (const side of rotated(wanted, round)) {
        await untilQuiet(side);
        const values = await item.run({ client, side, model, quick, results }).catch((error) => {
          print(`  ${item.name} of ${side.name} failed: ${error.message}`);
          return null;
        });
        if (!values) continue;
        results[item.name] ??= {};
        results[item.name][side.name] ??= [];
        results[item.name][side.name].push(values);
        print(
          `  round ${round + 1}, ${item.name}, ${side.name}: ` +
            JSON.stringify(values, (_, value) =>
              typeof value === "number" ? Number(value.toPrecision(4)) : value,
            ),
        );
      }
    }
  }
  return results;
}

/** None is always the first after the same other. */
function rotated(sides, by) {
  return sides.map((_, index) => sides[(index + by) % sides.length]);
}

async function warmUp(side, client) {
  await client("accept", side, { model: "n1-i0", clients: 4, ms: 5_000, most: 60 });
  for (let count = 0; count < 3; count++)
    await client("streams", side, { model: "n200-i0", count: 4 });
}

/** Waits until what a side still does for the case before is done. */
async function untilQuiet({ pids }) {
  let quiet = 0;
  let before = cpuSeconds(pids);
  for (const began = Date.now(); quiet < 3 && Date.now() - began < QUIET_LIMIT_MS; ) {
    await delay(200);
    const now = cpuSeconds(pids);
    quiet = now - before < 0.03 ? quiet + 1 : 0;
    before = now;
  }
}

function requireFloors(rows) {
  const broken = belowFloor(rows);
  if (broken.length > 0)
    throw new SetupError("The service is much slower than it was.", broken.join("\n"));
  print("\nEvery ratio is above its floor.");
}

/**
 * What the command line asks for.
 * @param {string[]} args
 * @throws SetupError
 */
function readOptions(args) {
  const { values } = parse(args);
  if (values.help) throw new SetupError(USAGE);
  const names =
    values.only?.split(",") ?? (values.short ? ["accept16", "read64", "streams50"] : null);
  const cases = names ? CASES.filter(({ name }) => names.includes(name)) : CASES;
  if (names && cases.length !== names.length)
    throw new SetupError(`There is no such case.\n${USAGE}`);
  const rounds = Number(values.rounds ?? (values.short ? 1 : 3));
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new SetupError("--rounds takes a whole number from 1.");
  const sides =
    values.sides?.split(",") ?? (values.short ? ["service", "reference"] : Object.keys(STARTS));
  return {
    cases,
    rounds,
    sides,
    quick: Boolean(values.quick || values.short),
    short: Boolean(values.short),
    statements: Boolean(values.statements),
    // A whole run is worth keeping; others only when somebody says so.
    keep: values.keep || (!values.short && !values.only && rounds >= 3),
  };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        rounds: { type: "string" },
        only: { type: "string" },
        sides: { type: "string" },
        quick: { type: "boolean" },
        short: { type: "boolean" },
        statements: { type: "boolean" },
        keep: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
