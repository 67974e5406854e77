import "server-only";
import { Gauge, type Registry } from "prom-client";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import { within } from "@/lib/platform/within";

/**
 * How far a scrape counts: with more than this waiting, the exact number is no news, and counting
 * it would be work.
 */
const COUNTED_MAX = 100_000;

/**
 * The state of the whole service, in one statement that reads what is open and never what has
 * ended: pending and running runs by the index of `status`, waiting runs by that of the queue, open
 * deliveries by the partial index of those.
 */
export const SERVICE_GAUGES_SQL = `
  SELECT
    (SELECT count(*)
     FROM (SELECT 1 FROM runs WHERE status = 'pending' LIMIT ${COUNTED_MAX}) r)::int AS pending,
    (SELECT count(*)
     FROM (SELECT 1 FROM runs WHERE status = 'running' LIMIT ${COUNTED_MAX}) r)::int AS running,
    coalesce(extract(epoch FROM now() - (SELECT created_at FROM runs WHERE status = 'pending'
          ORDER BY created_at LIMIT 1)), 0)::float8
      AS oldest_pending_seconds,
    q.depth::int AS queue_depth,
    coalesce(extract(epoch FROM now() - q.since), 0)::float8 AS queue_oldest_seconds,
    (SELECT count(*)
     FROM (SELECT 1 FROM webhook_deliveries WHERE status = 'pending'
       LIMIT ${COUNTED_MAX}) d)::int AS deliveries_pending
  FROM (SELECT count(*) AS depth, min(since) AS since
    FROM (SELECT since FROM engine_runs WHERE lane = 'runs' AND queued LIMIT ${COUNTED_MAX}) s) q`;

export interface ServiceGauges {
  pending: number;
  running: number;
  oldest_pending_seconds: number;
  queue_depth: number;
  queue_oldest_seconds: number;
  deliveries_pending: number;
}

export async function readServiceGauges(db: Queryable = postgres()): Promise<ServiceGauges> {
  const { rows } = await db.query<ServiceGauges>({
    name: "service-gauges",
    text: SERVICE_GAUGES_SQL,
  });
  const [row] = rows;
  if (!row) throw new Error("A statement without a FROM of its own gives one row.");
  return row;
}

/** However many scrape, and however often. */
const KEPT_MS = 10_000;
const READ_MAX_MS = 2_000;

const GAUGES: {
  [name in keyof ServiceGauges]: { name: string; help: string; labels?: { state: string } };
} = {
  pending: {
    name: "lathe_runs",
    help: "Runs that have not ended, by state; counted to 100,000",
    labels: { state: "pending" },
  },
  running: { name: "lathe_runs", help: "", labels: { state: "running" } },
  oldest_pending_seconds: {
    name: "lathe_run_oldest_pending_seconds",
    help: "Age of the oldest run that has not been started; 0: none",
  },
  queue_depth: {
    name: "lathe_queue_depth",
    help: "Runs that wait for a place of the embedded executor, also to go on; counted to 100,000",
  },
  queue_oldest_seconds: {
    name: "lathe_queue_oldest_seconds",
    help: "How long the first of them has waited; 0: none waits",
  },
  deliveries_pending: {
    name: "lathe_deliveries_pending",
    help: "Webhook deliveries that have not ended; counted to 100,000",
  },
};

/**
 * What the database knows of the service, the same from each process, read at most each ten
 * seconds. While it cannot be read, the values are absent, so that nothing old looks true, and the
 * rest of the scrape is answered all the same.
 */
export class ServiceMetrics {
  readonly #read: () => Promise<ServiceGauges>;
  readonly #now: () => number;
  readonly #gauges = new Map<string, Gauge<"state">>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(
    registry: Registry,
    read: () => Promise<ServiceGauges> = readServiceGauges,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#now = now;
    for (const { name, help, labels } of Object.values(GAUGES))
      if (!this.#gauges.has(name))
        this.#gauges.set(
          name,
          new Gauge({ name, help, labelNames: labels ? ["state"] : [], registers: [registry] }),
        );
  }

  /** Brings the values up to date where they are older than ten seconds. Never throws. */
  async refresh(): Promise<void> {
    if (this.#now() - this.#readAt < KEPT_MS) return;
    this.#reading ??= this.#take().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #take(): Promise<void> {
    try {
      const values = await within(READ_MAX_MS, this.#read());
      for (const [key, { name, labels }] of Object.entries(GAUGES)) {
        // The keys of the table are those of the row.
        const value = values[key as keyof ServiceGauges];
        const gauge = this.#gauges.get(name);
        if (labels) gauge?.set(labels, value);
        else gauge?.set(value);
      }
    } catch (error) {
      for (const gauge of this.#gauges.values()) gauge.reset();
      for (const { name, labels } of Object.values(GAUGES))
        if (!labels) this.#gauges.get(name)?.remove();
      log.warn({ err: error }, "the metrics of the service could not be read from its database");
    } finally {
      this.#readAt = this.#now();
    }
  }
}
