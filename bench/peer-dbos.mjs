import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { callModel } from "./call-model.mjs";
import { requireOfPeer } from "./peer-packages.mjs";
import { reportPort } from "./processes.mjs";

/**
 * The same runs on DBOS: a durable workflow of three steps (begin, call the model, store) on the
 * PostgreSQL that the run's row stands in. A run is stored and its workflow recorded before it is
 * acknowledged; its text is shown as it comes, and stored once at the end. A process of its own.
 *
 * @typedef {{ model: string, input: { text: string } }} RunRequest
 * @typedef {import("node:http").ServerResponse} ServerResponse
 */
const { DATABASE_URL = "" } = process.env;
const { DBOS } = requireOfPeer("dbos", "@dbos-inc/dbos-sdk");
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
/** Who reads along, by run. @type {Map<string, ServerResponse>} */
const streams = new Map();

await pool.query(
  `CREATE TABLE IF NOT EXISTS runs (id uuid PRIMARY KEY, status text NOT NULL, model text NOT NULL,
    input jsonb NOT NULL, result jsonb, created_at timestamptz NOT NULL DEFAULT now())`,
);

const execute = DBOS.registerWorkflow(
  async (/** @type {string} */ id, /** @type {RunRequest} */ { model, input }) => {
    await DBOS.runStep(() => move(id, "running", null), { name: "begin" });
    const result = await DBOS.runStep(
      () => callModel(model, input.text, (lines) => void streams.get(id)?.write(lines)),
      { name: "model" },
    );
    await DBOS.runStep(() => move(id, "completed", result), { name: "store" });
    return result;
  },
  { name: "run" },
);
const system = new URL(DATABASE_URL);
system.pathname = "/dbos_system";
DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: system.href,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();

const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, response) => {
  if (incoming.method === "GET")
    return void read((incoming.url ?? "").slice("/runs/".length), response);
  let text = "";
  incoming.setEncoding("utf8");
  incoming.on("data", (part) => {
    text += part;
  });
  incoming.on("end", () => {
    start(JSON.parse(text), response, incoming.url?.endsWith("/stream") ?? false).catch((error) => {
      console.error(error);
      response.destroy();
    });
  });
});
server.listen(0, "127.0.0.1", 4096, () => reportPort(server));
process.on("disconnect", () => process.exit(0));

/**
 * @param {RunRequest} request
 * @param {ServerResponse} response
 * @param {boolean} isStream
 */
async function start(request, response, isStream) {
  const id = randomUUID();
  await pool.query({
    name: "start",
    text: "INSERT INTO runs (id, status, model, input) VALUES ($1, 'pending', $2, $3)",
    values: [id, request.model, JSON.stringify(request.input)],
  });
  if (isStream) {
    streams.set(id, response);
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write(`${JSON.stringify({ type: "run.created", run_id: id })}\n`);
  }
  const handle = await DBOS.startWorkflow(execute, { workflowID: id })(id, request);
  if (!isStream) return answer(response, 202, { id, status: "pending" });
  const result = await handle.getResult();
  streams.delete(id);
  response.end(`${JSON.stringify({ type: "run.completed", result })}\n`);
}

/**
 * @param {string} id
 * @param {string} status
 * @param {unknown} result
 */
async function move(id, status, result) {
  await pool.query({
    name: "move",
    text: "UPDATE runs SET status = $2, result = $3 WHERE id = $1",
    values: [id, status, result === null ? null : JSON.stringify(result)],
  });
  return null;
}

/**
 * @param {string} id
 * @param {ServerResponse} response
 */
async function read(id, response) {
  const { rows } = await pool.query({
    name: "read",
    text: "SELECT id, status, model, input, result, created_at FROM runs WHERE id = $1",
    values: [id],
  });
  answer(response, rows[0] ? 200 : 404, rows[0] ?? {});
}

/**
 * @param {ServerResponse} response
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
