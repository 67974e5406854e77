#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { openSchemaEngine } from "./schema-engine.mjs";

/**
 * What Prisma's command line starts in place of the native schema engine, which it would download
 * (`prisma.config.ts`): the same engine as WebAssembly, from the package of the same version. It
 * speaks as the native one does: JSON-RPC by lines on standard input and output, or `cli COMMAND`
 * and an exit code.
 *
 * @typedef {{ id: number, method: string, params?: unknown }} Request
 */

const REFUSED = 1;
const args = process.argv.slice(2);

if (args.includes("--version")) console.log(`schema-engine-cli ${version()}`);
else if (args.includes("cli")) process.exitCode = await runCommand(args.at(-1) ?? "");
else await answerRequests();

/** The commit of the engine, with which the package's version ends. */
function version() {
  const home = dirname(
    createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg"),
  );
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
    .version.split(".")
    .at(-1);
}

/** Each value of the option `name`. @param {string} name */
function optionValues(name) {
  return args.flatMap((value, place) => (args[place - 1] === name ? [value] : []));
}

function databaseUrl() {
  const [datasource] = optionValues("--datasource");
  /** @type {{ url?: string }} */
  const { url } = JSON.parse(datasource ?? "{}");
  return url || process.env.DATABASE_URL || "";
}

/**
 * `can-connect-to-database`, `create-database`, `drop-database`.
 * @param {string} command
 * @returns {Promise<number>} the exit code
 */
async function runCommand(command) {
  const { default: pg } = await import("pg");
  const isThere = command === "can-connect-to-database";
  const url = new URL(databaseUrl());
  const name = decodeURIComponent(url.pathname.slice(1));
  if (!isThere) url.pathname = "/postgres";
  const client = new pg.Client({ connectionString: url.href });
  client.on("error", () => {});
  try {
    await client.connect();
    if (command === "create-database")
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    else if (command === "drop-database")
      await client.query(`DROP DATABASE ${pg.escapeIdentifier(name)}`);
    else await client.query("SELECT 1");
    return 0;
  } catch (error) {
    tellFailure(error, { database: name, host: url.hostname });
    return REFUSED;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * In the native engine's form: lines of its log on standard error, the first of which Prisma passes
 * over, the failure with Prisma's own code.
 * @param {unknown} error
 * @param {{ database: string, host: string }} place
 */
function tellFailure(error, { database, host }) {
  const code = error instanceof Error && "code" in error ? error.code : "";
  const known =
    code === "3D000"
      ? { error_code: "P1003", message: `Database \`${database}\` does not exist` }
      : code === "28P01" || code === "28000"
        ? {
            error_code: "P1000",
            message: `Authentication failed against the database server at \`${host}\``,
          }
        : {
            error_code: "P1001",
            message:
              `Can't reach the database server at \`${host}\`: ` +
              `${error instanceof Error ? error.message : error}`,
          };
  console.error(
    JSON.stringify({ level: "INFO", target: "schema_engine", fields: { message: "Starting" } }),
  );
  process.stderr.write(
    JSON.stringify({ level: "ERROR", target: "schema_engine::logger", fields: known }),
  );
}

async function answerRequests() {
  /** @type {[path: string, content: string][]} */
  const datamodels = optionValues("--datamodels").map((content, place) => [
    `schema-${place}.prisma`,
    content,
  ]);
  const engine = await openSchemaEngine(databaseUrl(), datamodels);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    /** @type {Request} */
    const request = JSON.parse(line);
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...(await answer(engine, request)) })}\n`,
    );
  }
}

/**
 * @param {Awaited<ReturnType<typeof openSchemaEngine>>} engine
 * @param {Request} request
 */
async function answer(engine, { method, params }) {
  /** @type {unknown} */
  const verb = Reflect.get(engine, method);
  if (typeof verb !== "function")
    return { error: { code: -32_601, message: `Method not found: ${method}` } };
  try {
    return { result: (await verb.call(engine, params)) ?? null };
  } catch (error) {
    const known =
      error instanceof Error && "code" in error
        ? { error_code: error.code, meta: "meta" in error ? error.meta : {} }
        : {};
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code: 4466, message, data: { is_panic: false, message, ...known } } };
  }
}
