import { afterAll, beforeAll, expect, test } from "vitest";
import { PipelinedReads } from "@/lib/platform/pipelined-reads";
import { createTestDatabase } from "@/lib/storage/test-database";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let reads: PipelinedReads;

beforeAll(async () => {
  database = await createTestDatabase();
  reads = new PipelinedReads({ connectionString: database.url }, 2);
});
afterAll(async () => {
  await reads.end();
  await database.drop();
});

const echo = (value: number) => ({
  name: "echo",
  text: "SELECT $1::int AS value, pg_backend_pid() AS pid",
  values: [value],
});
const ask = async (value: number) => {
  const { rows } = await reads.query<{ value: number; pid: number }>(echo(value));
  return rows[0];
};

test("a hundred reads at once each have their own answer, over two connections", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, (_, value) => ask(value)));
  expect(answers.map((answer) => answer?.value)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  expect(new Set(answers.map((answer) => answer?.pid)).size).toBe(2);
});

test("one that fails takes none of those along that were sent with it", async () => {
  const faulty = reads.query({ text: "SELECT 1 / $1::int", values: [0] });
  const beside = [ask(1), ask(2), ask(3), ask(4)];
  await expect(faulty).rejects.toThrow("division by zero");
  expect((await Promise.all(beside)).map((answer) => answer?.value)).toEqual([1, 2, 3, 4]);
});

test("what was under way on a lost connection fails, and the next read has a new one", async () => {
  const [first] = await Promise.all([ask(1), ask(2)]);
  const waiting = reads.query({ text: "SELECT pg_sleep(20)" });
  const cut = expect(waiting).rejects.toThrow();
  // It may not have come there yet.
  const cutIt = async () => {
    const { rows } = await reads.query<{ cut: number }>({
      text: `SELECT count(pg_terminate_backend(pid))::int AS cut FROM pg_stat_activity
             WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()`,
    });
    return rows[0]?.cut;
  };
  await expect.poll(cutIt).toBe(1);
  await cut;
  const after = await Promise.all([ask(3), ask(4)]);
  expect(after.map((answer) => answer?.value)).toEqual([3, 4]);
  expect(first).toBeDefined();
});

test("without a database a read fails, and works once there is one", async () => {
  const url = new URL(database.url);
  url.port = "1";
  url.searchParams.delete("host");
  const settings = { connectionString: url.href, connectionTimeoutMillis: 2_000 };
  const lost = new PipelinedReads(settings, 1);
  await expect(lost.query(echo(1))).rejects.toThrow("ECONNREFUSED");
  settings.connectionString = database.url;
  const found = new PipelinedReads(settings, 1);
  await expect(found.query(echo(2))).resolves.toMatchObject({ rows: [{ value: 2 }] });
  await Promise.all([lost.end(), found.end()]);
});

test("a statement with optional parts is planned once, for all values", async () => {
  const text = "SELECT oid FROM pg_class WHERE oid = $1 AND ($2::text IS NULL OR relname = $2)";
  const one = new PipelinedReads({ connectionString: database.url }, 1);
  for (let count = 0; count < 10; count++)
    await one.query({ name: "optional", text, values: [count, null] });
  const { rows } = await one.query({
    text: "SELECT custom_plans::int AS custom FROM pg_prepared_statements WHERE name = 'optional'",
  });
  await one.end();
  expect(rows).toEqual([{ custom: 0 }]);
});

test("nothing is read after the end", async () => {
  const ended = new PipelinedReads({ connectionString: database.url }, 1);
  await ended.query(echo(1));
  await ended.end();
  await expect(ended.query(echo(2))).rejects.toThrow("closed");
});
