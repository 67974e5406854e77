import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { verifySignIn } from "@/lib/domain/account/verify-sign-in";
import { sweepOldRows } from "@/lib/domain/sweep-old-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { env } from "@/lib/env";
import { hashQueue, QueueFull } from "@/lib/platform/crypto/password";
import { newId } from "@/lib/platform/ids";

const PASSWORD = "correct horse battery";
let database: DomainDatabase;
let email: string;
/** An address of each test's own. */
let address: string;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  address = newId();
  ({ email } = await createAccount({ email: `${newId()}@example.test`, password: PASSWORD }));
});
afterAll(() => database.close());

const outcomeOf = async (password: string, of = email, from = address) =>
  (await verifySignIn(of, password, from)).outcome;

async function fail(times: number, of = email, from = address): Promise<void> {
  for (let turn = 0; turn < times; turn++)
    expect(await outcomeOf("wrong", of, from)).toBe("refused");
}

/** As if the windows had begun that much earlier. */
async function age(minutes: number): Promise<void> {
  await database.pool.query(
    "UPDATE hour_buckets SET window_started_at = window_started_at - make_interval(mins => $1)",
    [minutes],
  );
}

async function countOf(key: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "SELECT count FROM hour_buckets WHERE key = $1",
    [key],
  );
  return rows[0]?.count ?? 0;
}

test("ten wrong passwords close an account for 15 minutes, from any address", async () => {
  await fail(9);
  expect(await outcomeOf(PASSWORD)).toBe("signed-in");
  for (let turn = 0; turn < 10; turn++) await fail(1, email, newId());
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("too-many-attempts");
  await age(14);
  await sweepOldRows();
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("too-many-attempts");
  await age(1);
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("signed-in");
});

test("it stays closed for 15 minutes from the tenth failure, not prolonged", async () => {
  await fail(9);
  await age(14);
  await fail(1);
  await age(2);
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("too-many-attempts");
  await age(13);
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("signed-in");
});

test("failures that are fifteen minutes old do not count any more", async () => {
  await fail(9);
  await age(15);
  await fail(9);
  expect(await outcomeOf(PASSWORD)).toBe("signed-in");
});

test("ten wrong passwords close an address, for whosever account, no other", async () => {
  for (let turn = 0; turn < 10; turn++) await fail(1, `${newId()}@example.test`);
  expect(await outcomeOf(PASSWORD)).toBe("too-many-attempts");
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("signed-in");
});

test("an address's successes clear not its failures, but the account's", async () => {
  for (let turn = 0; turn < 5; turn++) await fail(1, `${newId()}@example.test`);
  await fail(4);
  expect(await outcomeOf(PASSWORD)).toBe("signed-in");
  expect(await countOf(`sign-in:${email}`)).toBe(0);
  expect(await countOf(`sign-in-from:${address}`)).toBe(9);
  await fail(1, `${newId()}@example.test`);
  expect(await outcomeOf(PASSWORD)).toBe("too-many-attempts");
});

test("of forty guesses at once exactly ten are tried", async () => {
  const all = await Promise.all(
    Array.from({ length: 40 }, () => outcomeOf("wrong", email, newId())),
  );
  expect(all.filter((outcome) => outcome === "refused")).toHaveLength(10);
  expect(all.filter((outcome) => outcome === "too-many-attempts")).toHaveLength(30);
});

test("an address may check a quarter of its minute's requests as passwords in 15", async () => {
  Object.assign(env(), { IP_LIMIT_PER_MINUTE: 120 });
  for (let turn = 0; turn < 30; turn++) expect(await outcomeOf(PASSWORD)).toBe("signed-in");
  expect(await outcomeOf(PASSWORD)).toBe("too-many-attempts");
  expect(await outcomeOf(PASSWORD, email, newId())).toBe("signed-in");
  await age(15);
  expect(await outcomeOf(PASSWORD)).toBe("signed-in");
  Object.assign(env(), { IP_LIMIT_PER_MINUTE: 600 });
});

test("an attempt for which there is no place in the queue of hashes does not count", async () => {
  await fail(1);
  const queue = hashQueue();
  database.service.give(hashQueue, () => Promise.reject(new QueueFull("full")));
  await expect(verifySignIn(email, PASSWORD, address)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  database.service.give(hashQueue, queue);
  const counts = await Promise.all(
    [`sign-in:${email}`, `sign-in-from:${address}`, `sign-in-attempts:${address}`].map(countOf),
  );
  expect(counts).toEqual([1, 1, 1]);
});

test("an overlong address or password is refused unseen, a failure of its source", async () => {
  const long = `${"a".repeat(5_000)}@example.test`;
  expect(await outcomeOf("wrong", long)).toBe("refused");
  expect(await outcomeOf("x".repeat(201))).toBe("refused");
  expect([
    await countOf(`sign-in:${long}`),
    await countOf(`sign-in:${email}`),
    await countOf(`sign-in-from:${address}`),
  ]).toEqual([0, 0, 2]);
  for (let turn = 0; turn < 8; turn++) await outcomeOf("wrong", long);
  expect(await outcomeOf("wrong", long)).toBe("too-many-attempts");
  expect(await outcomeOf(PASSWORD)).toBe("too-many-attempts");
  const { rows } = await database.pool.query(
    "SELECT key FROM hour_buckets WHERE length(key) > 300",
  );
  expect(rows).toEqual([]);
});

test("others' wrong passwords keep no person out of a browser they signed in from", async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [email],
  );
  const knownUsers = [newId(), rows[0]?.id ?? ""];
  const fromKnown = async (password: string, of = email) =>
    (await verifySignIn(of, password, address, { knownUsers })).outcome;
  const { email: colleague } = await createAccount({
    email: `${newId()}@example.test`,
    password: PASSWORD,
  });
  for (let turn = 0; turn < 10; turn++) await fail(1, `${newId()}@example.test`);
  expect([await outcomeOf(PASSWORD), await fromKnown(PASSWORD, colleague)]).toEqual([
    "too-many-attempts",
    "too-many-attempts",
  ]);
  expect(await fromKnown(PASSWORD)).toBe("signed-in");
  expect(await countOf(`sign-in-from:${address}`)).toBe(10);
});

test("a known browser's wrong passwords close its account, not the address", async () => {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM users WHERE email = $1",
    [email],
  );
  const knownUsers = [rows[0]?.id ?? ""];
  for (let turn = 0; turn < 10; turn++)
    expect((await verifySignIn(email, "wrong", address, { knownUsers })).outcome).toBe("refused");
  expect((await verifySignIn(email, PASSWORD, address, { knownUsers })).outcome).toBe(
    "too-many-attempts",
  );
  const { email: colleague } = await createAccount({
    email: `${newId()}@example.test`,
    password: PASSWORD,
  });
  expect(await outcomeOf(PASSWORD, colleague)).toBe("signed-in");
});

test("the letters' case and spaces around an address do not make it another one", async () => {
  expect(await outcomeOf(PASSWORD, ` ${email.toUpperCase()} `)).toBe("signed-in");
  await fail(5, email.toUpperCase());
  await fail(5);
  expect(await outcomeOf(PASSWORD, email.toUpperCase(), newId())).toBe("too-many-attempts");
});

test("an operator behind one address switches this off by IP_LIMIT_PER_MINUTE", async () => {
  Object.assign(env(), { IP_LIMIT_PER_MINUTE: 0 });
  for (let turn = 0; turn < 32; turn++) expect(await outcomeOf(PASSWORD)).toBe("signed-in");
  Object.assign(env(), { IP_LIMIT_PER_MINUTE: 120 });
  expect(await outcomeOf(PASSWORD)).toBe("too-many-attempts");
  Object.assign(env(), { IP_LIMIT_PER_MINUTE: 600 });
});
