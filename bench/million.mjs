import "../scripts/setup/on-supported-node.mjs";

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import pg from "pg";
import { prepare } from "../scripts/setup/prepare.mjs";
import { print, progress } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { countedStatements } from "./bench-database.mjs";
import { HttpConnection } from "./http-connection.mjs";
import { startService } from "./start-service.mjs";

/**
 * `node bench/million.mjs [--runs N] [--accounts N] [--requests N]`: the same requests to a service
 * with twenty thousand runs, few enough to read quickly in any way and enough to fill the same
 * pages, and to one with a million runs and ten million events, by turns; then what the sweeps of a
 * minute take there. A third of everything is the asking account's.
 */
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SMALL = { runs: 20_000, accounts: 20 };
const ROUNDS = 4;
const MOST = 1.3;
const SWEEP_MS = 125_000;
const SWEEPS =
  "webhook_deliveries|emailed_at|run_usage|deleting_at|run_logs|idempotency_keys|audit_events|" +
  "uploads|_buckets|expires_at|parent_run_id|decided_at|schedules|usage_";

await runScript(async (shutdown) => {
  const { values } = parseArgs({
    options: {
      runs: { type: "string" },
      accounts: { type: "string" },
      requests: { type: "string" },
      "no-sweeps": { type: "boolean" },
    },
  });
  const size = {
    runs: Number(values.runs ?? 1_000_000),
    accounts: Number(values.accounts ?? 10_000),
  };
  await prepare({ root: ROOT });
  // No model is asked: nothing is started here.
  const modelUrl = "http://127.0.0.1:9/v1";
  const sides = [];
  for (const wanted of [SMALL, size]) {
    const service = await progress("Starting the service", () =>
      startService({ root: ROOT, modelUrl }, shutdown),
    );
    await progress(
      `Filling its database with ${wanted.runs} runs of ${wanted.accounts} accounts`,
      () => fill(service.database, wanted),
    );
    sides.push({ service, ids: await takeOver(service.database), times: new Map() });
  }
  for (const { service } of sides)
    await progress("Waiting until the sweep has added up the usage", () =>
      untilAddedUp(service.database),
    );
  const requests = Number(values.requests ?? 100);
  for (let round = 0; round < ROUNDS; round++) {
    print(`  Round ${round + 1} of ${ROUNDS}`);
    for (const [title, path] of lists())
      for (const { service, ids, times } of round % 2 === 0 ? sides : sides.toReversed())
        times.set(title, [
          ...(times.get(title) ?? []),
          ...(await ask(service, path(ids), requests)),
        ]);
  }
  const [small, full] = sides;
  print(`\n${toTable(small.times, full.times)}`);
  if (!values["no-sweeps"]) print(`\n${await sweeps(full.service.database)}`);
  await shutdown.run();
  process.exit(0);
});

/** Every list of the API with each of its filters: for what many rows match, few, and none. */
function lists() {
  const days = (count) => new Date(Date.now() - count * 24 * 3600 * 1000).toISOString();
  const fixed = (path) => () => path;
  return [
    ["runs", fixed("/v1/runs")],
    ["runs, completed", fixed("/v1/runs?status=completed")],
    ["runs, running (none)", fixed("/v1/runs?status=running")],
    ["runs of an agent", ({ agent }) => `/v1/runs?agent_id=${agent}`],
    ["runs of a conversation", ({ conversation }) => `/v1/runs?conversation_id=${conversation}`],
    ["runs, created 20 days ago or before", fixed(`/v1/runs?created_before=${days(20)}`)],
    ["runs, created since yesterday", fixed(`/v1/runs?created_after=${days(1)}`)],
    ["runs by metadata, a fifth", fixed("/v1/runs?metadata[env]=production")],
    ["runs by metadata, few", fixed("/v1/runs?metadata[customer]=c_15")],
    ["runs by metadata, none", fixed("/v1/runs?metadata[customer]=nobody")],
    ["one run", ({ run }) => `/v1/runs/${run}`],
    ["super-agent runs (none)", fixed("/v1/super-agent/runs")],
    ["agents", fixed("/v1/agents")],
    ["agents, searched", fixed("/v1/agents?q=nothing")],
    ["versions of an agent", ({ agent }) => `/v1/agents/${agent}/versions`],
    ["edits of an agent", ({ agent }) => `/v1/agents/${agent}/edits`],
    ["conversations", fixed("/v1/conversations")],
    ["conversations of creations", fixed("/v1/conversations?family=creation")],
    ["messages of a conversation", ({ conversation }) => `/v1/conversations/${conversation}`],
    ["approvals", fixed("/v1/approvals")],
    ["approvals that wait (none)", fixed("/v1/approvals?status=pending")],
    ["deliveries", fixed("/v1/webhook-deliveries")],
    ["deliveries, failed", fixed("/v1/webhook-deliveries?status=failed")],
    ["deliveries, pending (none)", fixed("/v1/webhook-deliveries?status=pending")],
    ["workspaces", fixed("/v1/workspaces")],
    ["files", ({ account }) => `/v1/workspaces/${account}/files`],
    ["files under a prefix", ({ account }) => `/v1/workspaces/${account}/files?prefix=folder-12/`],
    ["usage", fixed("/v1/account/usage")],
  ];
}

async function fill(database, { runs, accounts }) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "SELECT set_config('fill.runs', $1, false), set_config('fill.accounts', $2, false)",
    [String(runs), String(accounts)],
  );
  // One statement after another, so that each is a transaction of its own; its functions end with
  // $$.
  const script = readFileSync(new URL("fill.sql", import.meta.url), "utf8");
  for (const statement of script.replace(/^--.*$/gm, "").split(/;\s*\n/))
    if (statement.trim() !== "") await client.query(statement);
  await client.query("VACUUM");
  await client.end();
}

/**
 * Makes the bench's key, and with it its requests, those of the account that has a third of
 * everything. Returns ids of things that it has.
 */
async function takeOver(database) {
  const [{ account }] = await database.query(
    "SELECT id AS account FROM accounts ORDER BY id LIMIT 1",
  );
  await database.query("UPDATE api_keys SET account_id = $1 WHERE name = 'Operator'", [account]);
  await database.query(
    `UPDATE accounts SET read_per_minute = 100000000, runs_per_minute = 100000000,
       super_agent_access = true WHERE id = $1`,
    [account],
  );
  const [found] = await database.query(
    `SELECT id AS run, agent_id AS agent, conversation_id AS conversation FROM runs
     WHERE account_id = $1 AND kind = 'agent' AND agent_id IS NOT NULL
       AND conversation_id IS NOT NULL ORDER BY id LIMIT 1`,
    [account],
  );
  return { account, ...found };
}

/**
 * Usage of before there were sums is added up over some minutes; until then it is read call by
 * call.
 */
async function untilAddedUp(database) {
  for (let polls = 0; polls < 300; polls++, await delay(2_000)) {
    const rows = await database.query(
      "SELECT 1 FROM usage_rollups WHERE until > now() - interval '2 hours'",
    );
    if (rows.length > 0) return;
  }
  throw new Error("The usage was not added up within ten minutes.");
}

/** Milliseconds of each of `count` requests, one after the other. */
async function ask(service, path, count) {
  const connection = await HttpConnection.open(service.port);
  const times = [];
  for (let sent = 0; sent < count; sent++) {
    const began = performance.now();
    const { status, body } = await connection.ask("GET", path, service.headers);
    if (status !== 200)
      throw new Error(`GET ${path} was answered with ${status}: ${body.slice(0, 300)}`);
    times.push(performance.now() - began);
  }
  connection.close();
  return times;
}

function toTable(small, full) {
  const lines = [...small.keys()].map((title) => {
    const [a50, b50, a99, b99] = [0.5, 0.99].flatMap((share) => [
      quantile(small.get(title), share),
      quantile(full.get(title), share),
    ]);
    const figures = [a50, b50, b50 / a50, a99, b99, b99 / a99].map((value) => value.toFixed(2));
    return (
      `| ${title} | ${figures.join(" | ")} | ` +
      `${b50 / a50 <= MOST && b99 / a99 <= MOST ? "" : `**above ${MOST}**`} |`
    );
  });
  return [
    "| | p50 small, ms | full | ÷ | p99 small, ms | full | ÷ | |",
    "|---|---:|---:|---:|---:|---:|---:|---|",
    ...lines,
  ].join("\n");
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** What the statements of the minute's sweeps take, as PostgreSQL counts it. */
async function sweeps(database) {
  const { statements } = await countedStatements(database, () => delay(SWEEP_MS));
  const found = statements.filter(
    ({ text }) => new RegExp(SWEEPS).test(text) && !/^(INSERT INTO minute_buckets)/.test(text),
  );
  const slowest = found
    .map(({ text, calls, ms }) => ({
      text: text.replace(/\s+/g, " ").trim(),
      calls,
      each: ms / calls,
    }))
    .toSorted((a, b) => b.each - a.each);
  const lines = slowest
    .slice(0, 20)
    .map(
      ({ text, calls, each }) =>
        `| ${each.toFixed(2)} | ${calls} | \`${text.slice(0, 130).replaceAll("|", "\\|")}\` |`,
    );
  return [
    `In ${SWEEP_MS / 1000} s without a request:`,
    "",
    "| ms each | times | |",
    "|---:|---:|---|",
    ...lines,
  ].join("\n");
}
