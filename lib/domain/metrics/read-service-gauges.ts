import "server-only";
import { postgres, type Queryable } from "@/lib/platform/postgres";

/** How far a scrape counts: with more than this waiting, the exact number is no news, and counting it would be work. */
export const COUNTED_MAX = 100_000;

/**
 * The state of the whole service, in one statement that reads what is open and never what has ended: pending and running runs by the index of `status`,
 * waiting runs by that of the queue, open deliveries by the partial index of those.
 */
export const SERVICE_GAUGES_SQL = `
  SELECT
    (SELECT count(*) FROM (SELECT 1 FROM runs WHERE status = 'pending' LIMIT ${COUNTED_MAX}) r)::int AS pending,
    (SELECT count(*) FROM (SELECT 1 FROM runs WHERE status = 'running' LIMIT ${COUNTED_MAX}) r)::int AS running,
    coalesce(extract(epoch FROM now() - (SELECT created_at FROM runs WHERE status = 'pending' ORDER BY created_at LIMIT 1)), 0)::float8
      AS oldest_pending_seconds,
    q.depth::int AS queue_depth,
    coalesce(extract(epoch FROM now() - q.since), 0)::float8 AS queue_oldest_seconds,
    (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' LIMIT ${COUNTED_MAX}) d)::int AS deliveries_pending
  FROM (SELECT count(*) AS depth, min(since) AS since FROM (SELECT since FROM engine_runs WHERE lane = 'runs' AND queued LIMIT ${COUNTED_MAX}) s) q`;

export interface ServiceGauges {
  pending: number;
  running: number;
  oldest_pending_seconds: number;
  queue_depth: number;
  queue_oldest_seconds: number;
  deliveries_pending: number;
}

export async function readServiceGauges(db: Queryable = postgres()): Promise<ServiceGauges> {
  const { rows } = await db.query<ServiceGauges>({ name: "service-gauges", text: SERVICE_GAUGES_SQL });
  const [row] = rows;
  if (!row) throw new Error("A statement without a FROM of its own gives one row.");
  return row;
}
