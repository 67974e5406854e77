import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { consumeWriteQuota, requireWriteQuotaLeft } from "@/lib/domain/limits/hourly-writes";
import { refundToWindow, takeFromWindow, tooManyRequests } from "@/lib/domain/limits/rate-window";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let key: string;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  owner = await database.account({ writePerHour: 2 });
  key = `write:${owner.accountId}`;
});
afterAll(() => database.close());

/** Puts the window's beginning so many seconds into the past. */
const age = (seconds: number, of = key) =>
  database.pool.query(
    `UPDATE hour_buckets SET window_started_at = clock_timestamp() - make_interval(secs => $2)
     WHERE key = $1`,
    [of, seconds],
  );
const countOf = async (of = key): Promise<number | undefined> =>
  (await database.pool.query("SELECT count FROM hour_buckets WHERE key = $1", [of])).rows[0]?.count;
const refusal = (seconds: number) => ({
  code: "RATE_LIMITED",
  message: expect.stringContaining(`try again in ${seconds} seconds`),
  headers: { "Retry-After": String(seconds) },
});

test("writes are taken until the cap; the refusal says the hour's rest", async () => {
  await requireWriteQuotaLeft(database.pool, owner);
  await consumeWriteQuota(database.pool, owner);
  await requireWriteQuotaLeft(database.pool, owner);
  await consumeWriteQuota(database.pool, owner);
  await age(1_000.2);
  await expect(requireWriteQuotaLeft(database.pool, owner)).rejects.toMatchObject(refusal(2_600));
  expect(await countOf()).toBe(2);
  await expect(consumeWriteQuota(database.pool, owner)).rejects.toMatchObject(refusal(2_600));
  await age(3_601);
  await requireWriteQuotaLeft(database.pool, owner);
  await consumeWriteQuota(database.pool, owner);
  expect(await countOf()).toBe(1);
});

test("an account that may write nothing is told the hour; one uncapped is uncounted", async () => {
  await expect(
    requireWriteQuotaLeft(database.pool, { ...owner, writePerHour: 0 }),
  ).rejects.toMatchObject(refusal(3_600));
  const unlimited = { ...owner, writePerHour: null };
  await requireWriteQuotaLeft(database.pool, unlimited);
  await consumeWriteQuota(database.pool, unlimited);
  expect(await countOf()).toBeUndefined();
  const [one, stranger] = [
    { ...owner, writePerHour: 1 },
    await database.account({ writePerHour: 1 }),
  ];
  await consumeWriteQuota(database.pool, one);
  await expect(requireWriteQuotaLeft(database.pool, one)).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
  await requireWriteQuotaLeft(database.pool, stranger);
});

test("a window stays closed for its length from its last place, not by tries", async () => {
  const window = { key: newId(), max: 2, seconds: 100 };
  expect(await takeFromWindow(database.pool, window)).toBe(0);
  await age(40, window.key);
  expect(await takeFromWindow(database.pool, window)).toBe(0);
  expect(await takeFromWindow(database.pool, window)).toBe(100);
  await age(30.2, window.key);
  expect(await takeFromWindow(database.pool, window)).toBe(70);
  expect(await takeFromWindow(database.pool, window)).toBe(70);
  expect(await countOf(window.key)).toBe(2);
  await age(101, window.key);
  expect(await takeFromWindow(database.pool, window)).toBe(0);
  expect(await countOf(window.key)).toBe(1);
  for (const left of [0, 0]) {
    await refundToWindow(database.pool, window.key);
    expect(await countOf(window.key)).toBe(left);
  }
});

test.each([
  [119, "119 seconds"],
  [120, "2 minutes"],
  [121, "3 minutes"],
])("a wait of %s seconds is told as %s", (seconds, told) => {
  expect(tooManyRequests("Too many.", seconds)).toMatchObject({
    code: "RATE_LIMITED",
    message: `Too many. Try again in ${told}.`,
    headers: { "Retry-After": String(seconds) },
  });
});
