import "server-only";
import type pg from "pg";
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { definePart } from "@/lib/service";

/**
 * What a process counts of itself, for Prometheus. No label ever names an account, a run or
 * anything else of which there may be any number.
 */
export interface Metrics {
  registry: Registry;
  httpRequests: Histogram<"kind" | "method" | "status">;
  steps: Histogram<"step" | "outcome">;
  modelCalls: Histogram<"model" | "outcome">;
  firstTokens: Histogram<"model">;
  lostRuns: Counter;
  tokens: Counter<"model" | "direction">;
  sql: Histogram<"statement">;
  pool: Gauge<"pool" | "state">;
}

const holder = definePart("metrics", (): { metrics: Metrics | null } => ({ metrics: null }));

/** Null without METRICS_TOKEN: nobody could read them, so nothing is counted. */
export function metrics(): Metrics | null {
  return holder().metrics;
}

export function setMetrics(made: Metrics | null): void {
  holder().metrics = made;
}

/**
 * Statements whose names are the code's own; what a library names by itself is counted together.
 */
const OWN_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * Counts and times what goes through a pool, from its next connection on. Without METRICS_TOKEN the
 * pool stays as it is.
 */
export function observePool(pool: pg.Pool, name: string, made: Metrics | null = metrics()): void {
  if (made === null) return;
  pool.on("connect", (client) => timeStatements(client, made));
  const { pool: gauge } = made;
  const told = gauge as typeof gauge & { collect?: () => void };
  const before = told.collect;
  told.collect = () => {
    before?.call(told);
    gauge.set({ pool: name, state: "in_use" }, pool.totalCount - pool.idleCount);
    gauge.set({ pool: name, state: "idle" }, pool.idleCount);
    gauge.set({ pool: name, state: "waiting" }, pool.waitingCount);
  };
}

type Query = (config: unknown, values?: unknown, done?: unknown) => unknown;

/** Every way to make a statement, the pool's own too, ends in `query` of a client. */
export function timeStatements(client: pg.ClientBase, made: Metrics | null = metrics()): void {
  if (made === null) return;
  const { sql } = made;
  // The overloads cannot be written as one function.
  const timed = client as unknown as { query: Query };
  const query = timed.query.bind(client);
  timed.query = (config, values, done) => {
    const startedAt = performance.now();
    const end = () =>
      sql.observe({ statement: nameOf(config) }, (performance.now() - startedAt) / 1000);
    if (typeof done === "function") return query(config, values, ending(done, end));
    if (typeof values === "function") return query(config, ending(values, end));
    const made = query(config, values);
    // A cursor or a COPY is no promise, and ends when its reader likes.
    if (made instanceof Promise) made.then(end, end);
    return made;
  };
}

function ending(done: unknown, end: () => void): unknown {
  const call = done as (...args: unknown[]) => unknown; // a function, as its caller has seen
  return (...args: unknown[]) => {
    end();
    return call(...args);
  };
}

function nameOf(config: unknown): string {
  const name =
    typeof config === "object" && config !== null && "name" in config ? config.name : undefined;
  return typeof name === "string" && OWN_NAME.test(name) ? name : "other";
}
