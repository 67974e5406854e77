import { setTimeout as delay } from "node:timers/promises";
import { countedStatements } from "./bench-database.mjs";
import { CALLS } from "./calls.mjs";
import { HttpConnection } from "./http-connection.mjs";

/**
 * @typedef {import("./bench-database.mjs").CountedStatements} CountedStatements
 * @typedef {Awaited<ReturnType<typeof import("./start-service.mjs").startService>>} Service
 */

const RUNS = 30;
const IDLE_MS = 10_000;
const SHOWN_CHARACTERS = 110;

/**
 * What the service asks of its database: for a run of one turn, for a turn with a tool call more,
 * for a read. Less what it asks when idle. Markdown.
 * @param {Service} service
 */
export async function reportStatements(service) {
  const connection = await HttpConnection.open(service.port);
  /** @param {string} model */
  const run = (model) => runOnce(service, connection, model);
  for (let count = 0; count < 10; count++)
    for (const model of ["n1-i0", "n1-i0-tool"]) await run(model);
  const idle = await countedStatements(service.database, () => delay(IDLE_MS));
  const one = await perCall(service, idle, () => run("n1-i0"));
  const tool = await perCall(service, idle, () => run("n1-i0-tool"));
  const last = await run("n1-i0");
  const read = await perCall(service, idle, () => connection.ask("GET", last, service.headers));
  connection.close();
  const head = "| | statements | transactions that write |\n|---|---:|---:|";
  /**
   * @param {string} what
   * @param {{ calls: number, writes: number }} options
   */
  const line = (what, { calls, writes }) =>
    `| ${what} | ${calls.toFixed(1)} | ${writes.toFixed(1)} |`;
  const more = { calls: tool.calls - one.calls, writes: tool.writes - one.writes };
  const rates = { calls: idle.calls / idle.seconds, writes: idle.writes / idle.seconds };
  const lines = [
    line("a run of one turn", one),
    line("one tool call and its turn more", more),
    line("a read of a run", read),
    line("an idle second", rates),
  ];
  return (
    `\n${[head, ...lines].join("\n")}\n\nA run of one turn:\n\n${list(one)}\n\n` +
    `A run of two turns and a tool call:\n\n${list(tool)}\n\nA read:\n\n${list(read)}\n\n` +
    `Idle, ${IDLE_MS / 1000} s:\n\n${list(idle)}`
  );
}

/**
 * @param {Service} service
 * @param {CountedStatements} idle
 * @param {() => Promise<unknown>} call
 */
async function perCall(service, idle, call) {
  const counted = await countedStatements(service.database, async () => {
    for (let count = 0; count < RUNS; count++) await call();
  });
  const share = counted.seconds / idle.seconds;
  const idleCalls = new Map(idle.statements.map(({ text, calls }) => [text, calls]));
  const statements = counted.statements
    .map(({ text, calls, ms }) => ({
      text,
      calls: (calls - (idleCalls.get(text) ?? 0) * share) / RUNS,
      ms: ms / RUNS,
    }))
    .filter(({ calls }) => calls >= 0.2);
  const calls = (counted.calls - idle.calls * share) / RUNS;
  return { calls, writes: (counted.writes - idle.writes * share) / RUNS, statements };
}

/**
 * Starts a run and waits for its end without asking the service, whose reads would be counted.
 * Returns where it is read.
 * @param {Service} service
 * @param {HttpConnection} connection
 * @param {string} model
 */
async function runOnce(service, connection, model) {
  const { path, body } = CALLS.service.start(model);
  const answer = await connection.ask("POST", path, service.headers, JSON.stringify(body));
  const run = JSON.parse(answer.body);
  if (answer.status !== 202)
    throw new Error(`A run was answered with ${answer.status}: ${answer.body}`);
  for (const began = Date.now(); ; await delay(20)) {
    const [row] = await service.database.query(
      "SELECT status, error FROM runs WHERE id = $1 /* bench-own */",
      [run.run_id],
    );
    if (row.status === "failed") throw new Error(`A run failed: ${JSON.stringify(row.error)}`);
    if (row.status === "completed") break;
    if (Date.now() - began > 30_000) throw new Error("A run is not done after 30 s.");
  }
  // What follows the end, such as the engine's own rows.
  await delay(60);
  return CALLS.service.pathOf(run);
}

/** @param {Pick<CountedStatements, "statements">} options */
function list({ statements }) {
  return statements
    .map(({ text, calls, ms }) => {
      const time = (ms / calls).toFixed(2);
      return (
        `- ${calls.toFixed(calls >= 10 ? 0 : 1)} × ${time} ms: ` +
        `${text.replace(/\s+/g, " ").trim().slice(0, SHOWN_CHARACTERS)}`
      );
    })
    .join("\n");
}
