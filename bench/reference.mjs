import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { callModel } from "./call-model.mjs";
import { reportPort } from "./processes.mjs";

/**
 * @typedef {import("node:http").ServerResponse} ServerResponse
 * @typedef {{ runId: string, sequence: number, lines: string, resolve: (value?: undefined) => void,
 * reject: (error: unknown) => void }} Waiting
 */

/**
 * What this machine can do at most: runs on bare `node:http` with PostgreSQL and a parser of their
 * own, durable like the service's (a run is stored before it is acknowledged, an event before it is
 * shown), and with nothing else: no keys, limits, credits, tools, resumption. A process of its own.
 */
const { DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

await pool.query(`
  CREATE TABLE IF NOT EXISTS runs (id uuid PRIMARY KEY, status text NOT NULL, model text NOT NULL,
    input jsonb NOT NULL, result jsonb,
    created_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz);
  CREATE TABLE IF NOT EXISTS run_events (run_id uuid NOT NULL, sequence int NOT NULL,
    lines text NOT NULL, PRIMARY KEY (run_id, sequence))`);

const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
  if (incoming.method === "GET")
    return void read((incoming.url ?? "").slice("/runs/".length), response);
  let text = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (part) => {
    text += part;
  });
  incoming.on(
    "end",
    () =>
      void start(JSON.parse(text), incoming.url?.endsWith("/stream") ? response : null, response),
  );
});
server.listen(0, "127.0.0.1", 4096, () => reportPort(server));
process.on("disconnect", () => process.exit(0));

/**
 * @param {string} id
 * @param {import("node:http").ServerResponse} response
 */
async function read(id, response) {
  const text =
    "SELECT id, status, model, input, result, created_at, completed_at FROM runs WHERE id = $1";
  const { rows } = await pool.query({ name: "read", text, values: [id] });
  answer(response, rows[0] ? 200 : 404, rows[0] ?? {});
}

/**
 * @param {{ model: string, input: { text: string } }} options
 * @param {ServerResponse | null} stream
 * @param {import("node:http").ServerResponse} response
 */
async function start({ model, input }, stream, response) {
  const run = { id: randomUUID(), status: "pending", model };
  const text = "INSERT INTO runs (id, status, model, input) VALUES ($1, $2, $3, $4)";
  await pool.query({
    name: "start",
    text,
    values: [run.id, run.status, model, JSON.stringify(input)],
  });
  if (!stream) answer(response, 202, run);
  else
    stream
      .writeHead(200, { "content-type": "application/x-ndjson" })
      .write(`${JSON.stringify({ type: "run.created", run_id: run.id })}\n`);
  const work = () => execute(run, input, stream).catch((error) => console.error(error));
  if (stream) await work();
  else setImmediate(work);
}

/**
 * @param {{ id: string, model: string }} run
 * @param {{ text: string }} input
 * @param {ServerResponse | null} stream
 */
async function execute(run, input, stream) {
  await pool.query({
    name: "running",
    text: "UPDATE runs SET status = 'running' WHERE id = $1",
    values: [run.id],
  });
  /** @type {Promise<unknown>[]} */
  const stored = [];
  let sequence = 0;
  const result = await callModel(run.model, input.text, (lines) => {
    stored.push(store(run.id, ++sequence, lines).then(() => stream?.write(lines)));
  });
  await Promise.all(stored);
  const last = `${JSON.stringify({ type: "run.completed", result })}\n`;
  const text = `WITH line AS (INSERT INTO run_events VALUES ($1, $2, $3))
    UPDATE runs SET status = 'completed', result = $4, completed_at = now() WHERE id = $1`;
  await pool.query({
    name: "end",
    text,
    values: [run.id, sequence + 1, last, JSON.stringify(result)],
  });
  stream?.end(last);
}

/** @type {Waiting[]} */
let waiting = [];
let isStoring = false;

/**
 * Stores events of a run; those that come while a statement is under way go together with the next.
 * @param {string} runId
 * @param {number} sequence
 * @param {string} lines
 * @returns {Promise<void>}
 */
function store(runId, sequence, lines) {
  return new Promise((resolve, reject) => {
    waiting.push({ runId, sequence, lines, resolve, reject });
    if (!isStoring) void storeWaiting();
  });
}

async function storeWaiting() {
  isStoring = true;
  while (waiting.length > 0) {
    const batch = waiting;
    waiting = [];
    const text = "INSERT INTO run_events SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[])";
    const values = [
      batch.map((event) => event.runId),
      batch.map((event) => event.sequence),
      batch.map((event) => event.lines),
    ];
    const error = await pool.query({ name: "store", text, values }).then(
      () => null,
      (failure) => failure,
    );
    for (const event of batch) {
      if (error) event.reject(error);
      else event.resolve();
    }
  }
  isStoring = false;
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {unknown} value
 */
function answer(response, status, value) {
  const body = JSON.stringify(value);
  response
    .writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    })
    .end(body);
}
