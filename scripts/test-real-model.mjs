import "./setup/on-supported-node.mjs";

import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startService } from "../bench/start-service.mjs";
import { installModel, MODEL_NAME, serveModel } from "./real-model/model-server.mjs";
import { SCENARIOS } from "./real-model/scenarios.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print, progress } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run test:real-model`: the whole service on a small real model, served by llama.cpp on this
 * machine. It judges no answers, for which the model is too small, but what becomes of whatever it
 * says: every run ends in a state that is true, in bounded time, and each credit is accounted for.
 * It needs Python 3.10 and the Python registry once, and is no part of `npm test`.
 */
const USAGE =
  "npm run test:real-model -- [--short] [--runs N] [--minutes N] [--only " +
  "chat,tools,structured,cancel,creation,killed]";
const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** No answer of the model is longer, in tokens. */
const ANSWER_TOKENS = 200;

await runScript(async (shutdown) => {
  const { runs, minutes, only } = readOptions();
  await prepare({ root: ROOT });
  const installed = await progress("Installing the model", () => installModel(ROOT));
  const model = await progress("Starting the model", () =>
    serveModel(ROOT, { ...installed, answerTokens: ANSWER_TOKENS }, shutdown),
  );
  const service = await progress("Starting the service", () =>
    startService({ root: ROOT, modelUrl: model.url, models: [MODEL_NAME] }, shutdown),
  );
  const until = Date.now() + minutes * 60_000;
  /** @type {Record<string, { runs: number, states: Record<string, number>, longest: number }>} */
  const rows = {};
  /** @type {string[]} */
  const faults = [];
  let done = 0;
  for (; done < runs && Date.now() < until && faults.length < 20; done += 1) {
    const scenario = only[done % only.length];
    if (!scenario) break;
    const [name, play] = scenario;
    const began = Date.now();
    const outcome = await play({ service, model, turn: done }).catch((error) => ({
      state: "broken",
      faults: [error instanceof Error ? error.message : String(error)],
    }));
    const seconds = (Date.now() - began) / 1_000;
    const row = rows[name] ?? { runs: 0, states: {}, longest: 0 };
    rows[name] = row;
    row.runs += 1;
    row.states[outcome.state] = (row.states[outcome.state] ?? 0) + 1;
    row.longest = Math.max(row.longest, seconds);
    faults.push(...outcome.faults.map((fault) => `${name} ${done}: ${fault}`));
    print(
      `${String(done + 1).padStart(4)} ${name.padEnd(10)} ${outcome.state} ${seconds.toFixed(1)} s`,
    );
  }
  // Runs whose end nobody waited for have theirs.
  await delay(1_000);
  const checked = await service.check();
  if (checked.ok !== true) faults.push(`admin check: ${JSON.stringify(checked)}`);
  report(rows, done);
  await shutdown.run();
  if (faults.length > 0) throw new SetupError("Something went wrong.", faults.join("\n"));
  print(`${done} runs: each ended truly and in time, and \`admin check\` found every credit.`);
  process.exit(0);
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      short: { type: "boolean", default: false },
      runs: { type: "string" },
      minutes: { type: "string" },
      only: { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) throw new SetupError(USAGE);
  const runs = Number(values.runs ?? (values.short ? 12 : 200));
  const minutes = Number(values.minutes ?? (values.short ? 10 : 90));
  if (!(runs >= 1) || !(minutes > 0)) throw new SetupError(`It is: ${USAGE}`);
  const named = values.only?.split(",") ?? Object.keys(SCENARIOS);
  const only = Object.entries(SCENARIOS).filter(([name]) => named.includes(name));
  if (only.length === 0) throw new SetupError(`There is no such scenario. It is: ${USAGE}`);
  return { runs, minutes, only };
}

/**
 * @param {Record<string, { runs: number, states: Record<string, number>, longest: number }>} rows
 * @param {number} done
 */
function report(rows, done) {
  print("\n| Scenario | Runs | Ended as | Longest |\n| --- | --- | --- | --- |");
  for (const [name, { runs, states, longest }] of Object.entries(rows)) {
    const ends = Object.entries(states).map(([state, count]) => `${state} ${count}`);
    print(`| ${name} | ${runs} | ${ends.join(", ")} | ${longest.toFixed(1)} s |`);
  }
  print(`| all | ${done} | | |\n`);
}
