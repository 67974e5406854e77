import pg from "pg";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  readServiceGauges,
  SERVICE_GAUGES_SQL,
  type ServiceGauges,
  ServiceMetrics,
} from "@/lib/domain/metrics/service-metrics";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
const ENDED = 60_000;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const run = (status: string, count: number, age: string) =>
  pool.query(
    `INSERT INTO runs (id, account_id, kind, status, input, model, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), 'agent', $1, '{}', 'm', now() - $3::interval
     FROM generate_series(1, $2)`,
    [status, count, age],
  );

test("an empty service waits for nothing", async () => {
  expect(await readServiceGauges(pool)).toEqual({
    pending: 0,
    running: 0,
    oldest_pending_seconds: 0,
    queue_depth: 0,
    queue_oldest_seconds: 0,
    deliveries_pending: 0,
  });
});

test("what waits and works is counted, what has ended is not, and not even read", async () => {
  await run("completed", ENDED, "1 day");
  await run("pending", 2, "90 seconds");
  await run("running", 3, "5 minutes");
  await pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, key, queued, lane, since) VALUES
     (gen_random_uuid(), 'f', '1', 'a', true, 'runs', now() - interval '30 seconds'),
     (gen_random_uuid(), 'f', '2', 'b', true, 'runs', now()),
     (gen_random_uuid(), 'f', '3', 'c', false, 'runs', now() - interval '1 hour'),
     (gen_random_uuid(), 'f', '4', 'd', true, 'mail', now() - interval '1 hour')`,
  );
  await pool.query(
    `INSERT INTO webhook_deliveries (id, run_id, account_id, url, status, payload)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'u', status, '{}'
     FROM unnest(ARRAY['pending', 'delivered', 'failed']) AS status`,
  );
  await pool.query("ANALYZE");
  const gauges = await readServiceGauges(pool);
  expect(gauges).toMatchObject({ pending: 2, running: 3, queue_depth: 2, deliveries_pending: 1 });
  expect(Math.floor(gauges.oldest_pending_seconds / 30)).toBe(3);
  expect(Math.floor(gauges.queue_oldest_seconds / 30)).toBe(1);
  const { rows } = await pool.query<{ "QUERY PLAN": string }>(`EXPLAIN ${SERVICE_GAUGES_SQL}`);
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).not.toMatch(/Seq Scan on runs/);
});

const GAUGES: ServiceGauges = {
  pending: 1,
  running: 2,
  oldest_pending_seconds: 3,
  queue_depth: 4,
  queue_oldest_seconds: 5,
  deliveries_pending: 6,
};

test("however many scrape, the database is asked each 10 s at most; no old value", async () => {
  const registry = new Registry();
  let [now, reads, isAway] = [0, 0, false];
  const read = async () => {
    reads += 1;
    if (isAway) throw new Error("the database is away");
    return GAUGES;
  };
  const metrics = new ServiceMetrics(registry, read, () => now);
  const scrape = async () => {
    await metrics.refresh();
    return (await registry.metrics()).split("\n").filter((line) => /^lathe/.test(line));
  };
  const values = [
    'lathe_runs{state="pending"} 1',
    'lathe_runs{state="running"} 2',
    "lathe_run_oldest_pending_seconds 3",
    "lathe_queue_depth 4",
    "lathe_queue_oldest_seconds 5",
    "lathe_deliveries_pending 6",
  ];
  expect(await Promise.all([scrape(), scrape()])).toEqual([values, values]);
  now += 9_999;
  expect([await scrape(), reads]).toEqual([values, 1]);
  isAway = true;
  now += 1;
  expect([await scrape(), reads]).toEqual([[], 2]);
  isAway = false;
  now += 10_000;
  expect([await scrape(), reads]).toEqual([values, 3]);
});
