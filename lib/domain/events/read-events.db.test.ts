import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvents } from "@/lib/domain/events/read-events";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());

test("one transaction's events are in order in the feed, within a millisecond too", async () => {
  const owner = await database.account();
  const before = await readEvents(owner, 0, null, 1_000);
  await database.pool.query(
    `SELECT record_event($1, 'run.completed', jsonb_build_object('place', place))
     FROM generate_series(1, 300) AS place`,
    [owner.accountId],
  );
  const events = await readEvents(owner, before.length, null, 1_000);
  // As made above.
  const places = events.map(({ data }) => (data as unknown as { place: number }).place);
  expect(places).toEqual(places.map((_, index) => index + 1));
  expect(places).toHaveLength(300);
});
