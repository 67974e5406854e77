import "server-only";
import type { Socket } from "node:net";
import pg from "pg";
import { env } from "@/lib/env";
import { isUnanswered } from "@/lib/platform/is-transient-error";
import { log } from "@/lib/platform/log";
import { observePool } from "@/lib/platform/metrics/metrics";
import { PipelinedReads } from "@/lib/platform/pipelined-reads";
import { KeyedLimit } from "@/lib/platform/wakeable";
import { definePart } from "@/lib/service";

/**
 * The server gives a statement up after this time, and a lock that it waits for much earlier: one
 * account's locked row must not use up the pool.
 */
const STATEMENT_TIMEOUT_MS = 20_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A transaction that nobody goes on with (a frozen process) loses its locks after this time. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/**
 * An answer that never comes (a machine that has vanished) is waited for this long, which is longer
 * than the server takes to give a statement up; then the connection is dropped, and with it those
 * that stand idle.
 */
const ANSWER_TIMEOUT_MS = 22_000;

/** Connections of the engine and of runs' logs, beside those of `DATABASE_POOL_SIZE`. */
const ENGINE_POOL_SIZE = 6;

/**
 * Connections of a process beside its pools: its sign of life (lib/engine/processes.ts),
 * what tells it of runs and cancels (lib/engine/events/event-listener.ts) and, of a worker, what
 * wakes it.
 */
const OWN_CONNECTIONS = 3;

/** Connections that reads of single rows share; and those of whole runs. */
const READ_CONNECTIONS = 2;
const RUN_READ_CONNECTIONS = 2;

/** How many connections this process opens at the most. */
export function connectionsMax(): number {
  const reads = READ_CONNECTIONS + RUN_READ_CONNECTIONS;
  return env().DATABASE_POOL_SIZE + ENGINE_POOL_SIZE + OWN_CONNECTIONS + reads;
}

/** The pool of what requests and runs ask for. Prisma's adapter shares it. */
export const postgres = definePart(
  "postgres",
  () => openPool("main", env().DATABASE_POOL_SIZE),
  (pool) => pool.end(),
);

/**
 * The pool of the executor's own statements and of runs' logs: short ones, which must go on however
 * long requests and runs wait for a lock.
 */
export const enginePostgres = definePart(
  "postgres.engine",
  () => openPool("engine", ENGINE_POOL_SIZE),
  (pool) => pool.end(),
);

/**
 * Reads of single rows by their key, which lock nothing: on a few connections, on which statements
 * are sent one after the other without waiting for the answers before them. Whatever takes long, or
 * waits for a lock, would hold up all that were sent behind it: it goes to `postgres()`.
 */
export const keyedReads = definePart<KeyedReads>(
  "postgres.reads",
  () => new PipelinedReads(settings(), READ_CONNECTIONS),
  (reads) => reads.end(),
);

/**
 * The same for what a run's step reads of its run, which may be long: its transcript delays other
 * runs' steps, and no request.
 */
export const runReads = definePart<KeyedReads>(
  "postgres.run-reads",
  () => new PipelinedReads(settings(), RUN_READ_CONNECTIONS),
  (reads) => reads.end(),
);

/** What is asked by `keyedReads`; a pool of one's own can do it too. */
export interface KeyedReads {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  end(): Promise<void>;
}

const settings = () => ({
  connectionString: env().DATABASE_URL,
  connectionTimeoutMillis: 10_000,
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
  query_timeout: ANSWER_TIMEOUT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
});

function openPool(name: string, max: number): pg.Pool {
  const pool = new pg.Pool({ ...settings(), max, idleTimeoutMillis: 60_000 });
  // A connection that is cut while somebody holds it idle would end the process; its next query
  // says that it is gone.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", (error) =>
    log.warn({ err: error.message }, "an idle database connection was lost"),
  );
  dropWithSilent(pool);
  observePool(pool, name);
  return pool;
}

/**
 * A connection that gives no answer any more is seldom the only one: without this each of the idle
 * ones would cost somebody the same wait.
 */
function dropWithSilent(pool: pg.Pool): void {
  const idle = new Set<pg.PoolClient>();
  pool.on("acquire", (client) => idle.delete(client));
  pool.on("remove", (client) => idle.delete(client));
  pool.on("release", (error, client) => {
    if (!error) idle.add(client);
    if (!isUnanswered(error)) return;
    // The pool itself removes a client whose connection ends while it is idle.
    for (const { connection } of idle as Set<pg.PoolClient & { connection: { stream: Socket } }>)
      connection.stream.destroy(); // pg's types leave it out
    idle.clear();
  });
}

export type Queryable = Pick<pg.Pool, "query">;

export type Transaction = pg.PoolClient;

interface Ends {
  commit: () => void;
  rollback?: () => void;
}

const ends = new WeakMap<object, Ends[]>();

/**
 * Runs `work` in one transaction on a connection of `pool`. Commits what it returns; rolls back and
 * rethrows what it throws.
 */
export async function inTransaction<T>(
  pool: Pick<pg.Pool, "connect">,
  work: (tx: Transaction) => Promise<T>,
  begin = "BEGIN",
): Promise<T> {
  const client = await pool.connect();
  const told: Ends[] = [];
  ends.set(client, told);
  let broken: Error | undefined;
  try {
    await client.query(begin);
    const value = await work(client);
    await client.query("COMMIT");
    ends.delete(client);
    for (const { commit } of told) commit();
    return value;
  } catch (error) {
    if (isUnanswered(error)) broken = error;
    else
      await client.query("ROLLBACK").catch((lost: Error) => {
        broken = lost;
      });
    for (const { rollback } of told) rollback?.();
    throw error;
  } finally {
    ends.delete(client);
    client.release(broken);
  }
}

/**
 * Has `commit` called once what was written through `on` is committed: at the end of its
 * transaction, or now where each statement is one of its own;
 * `rollback` when nothing of it was kept.
 */
export function afterCommit(on: Queryable, commit: () => void, rollback?: () => void): void {
  const told = ends.get(on);
  if (told) told.push({ commit, ...(rollback && { rollback }) });
  else commit();
}

/** Whether each statement that is sent through `on` is a transaction of its own. */
export function commitsAlone(on: Queryable): boolean {
  return !ends.has(on);
}

/**
 * Transactions of an account's requests at once in this process, and statements of its runs that
 * lock its row or another that they share: half of the pool is left to everybody else.
 */
const REQUESTS_SHARE = 0.3;
const RUNS_SHARE = 0.2;
const shareOfPool = (share: number) => Math.max(1, Math.floor(env().DATABASE_POOL_SIZE * share));
/** A request that waits for a row is told to try again (503) long before its caller gives up. */
const REQUEST_LOCK_TIMEOUT_MS = 2_000;

const accountRequests = definePart(
  "account-requests",
  () => new KeyedLimit(shareOfPool(REQUESTS_SHARE)),
);
const accountStatements = definePart(
  "account-statements",
  () => new KeyedLimit(shareOfPool(RUNS_SHARE)),
);

/**
 * `transaction` for what a request writes in its account. While somebody holds a row of the
 * account, all that it writes waits for it; so few of them wait on a connection, and each for a
 * moment only. Beside `withinAccount`, whose work never comes here: neither is done within the
 * other's wait. Never within itself.
 */
export function accountTransaction<T>(
  accountId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const begin = `BEGIN; SET LOCAL lock_timeout = ${REQUEST_LOCK_TIMEOUT_MS}`;
  return accountRequests().run(accountId, () => inTransaction(postgres(), work, begin));
}

/**
 * Runs `work` in one transaction of plain SQL: for the paths whose statements decide money, states
 * or limits.
 * Commits what it returns; rolls back and rethrows what it throws.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(postgres(), work);
}

/**
 * Does what locks an account's row, for its runs. While somebody holds that row (a frozen process,
 * an operator's session), all of the account's runs wait for it:
 * without a bound they would wait on every connection that the process has, and everybody else with
 * them. Never within itself: those that wait for one more would wait for ever.
 */
export function withinAccount<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  return accountStatements().run(accountId, work);
}

/**
 * Does an operator's long work on a connection of its own, without the time limits of requests: on
 * a large database a statement of a backup or a check takes minutes. Whatever transaction `work`
 * leaves open is rolled back.
 */
export async function onOwnConnection<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    ...connectionOf(postgres()),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that is cut is told by the next query.
  client.on("error", () => {});
  await client.connect();
  try {
    // A role or a database may have limits of its own. Locks are given up as everywhere: who waits
    // for one holds others up.
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout " +
        `= ${LOCK_TIMEOUT_MS}`,
    );
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** How to reach the database of a pool by a connection of one's own. */
export function connectionOf(pool: pg.Pool): pg.ClientConfig {
  const { connectionString, host, port, user, password, database, ssl } = pool.options;
  return connectionString ? { connectionString } : { host, port, user, password, database, ssl };
}
