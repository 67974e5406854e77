import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { openStream } from "@/lib/domain/runs/open-stream";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { CLIENT_STREAMS_MAX } from "@/lib/model/client-token";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
});
afterAll(() => database.close());
afterEach(() => {
  vi.useRealTimers();
});

/** A stream that gives what is asked of it, and when it was ended. */
function source(lines = Number.POSITIVE_INFINITY) {
  const ended = vi.fn();
  let given = 0;
  const open = async (): Promise<AsyncIterableIterator<string>> => ({
    [Symbol.asyncIterator]: () => expect.unreachable("it is read by next"),
    async next() {
      given += 1;
      return given > lines
        ? { done: true, value: undefined }
        : { done: false, value: String(given) };
    },
    async return() {
      ended();
      return { done: true, value: undefined };
    },
  });
  return { open: vi.fn(open), ended };
}

async function textOf(texts: AsyncIterable<string>): Promise<string> {
  let all = "";
  for await (const text of texts) all += text;
  return all;
}

const isLimited = expect.objectContaining({
  code: "RATE_LIMITED",
  message: expect.stringMatching(/has \d+ streams open/),
});

test("an account may have as many streams open as it may start runs in a minute, and one too many starts nothing", async () => {
  const [account, other] = [await database.account(), await database.account()];
  await database.pool.query("UPDATE accounts SET runs_per_minute = 2 WHERE id = $1", [
    account.accountId,
  ]);
  const streams = [
    await openStream(account, source().open),
    await openStream(account, source().open),
  ];
  const oneTooMany = source();
  await expect(openStream(account, oneTooMany.open)).rejects.toEqual(isLimited);
  expect(oneTooMany.open).not.toHaveBeenCalled();
  await (await openStream(other, source().open)).return();
  await streams[0]?.return();
  const third = await openStream(account, source().open);
  await expect(openStream(account, oneTooMany.open)).rejects.toEqual(isLimited);
  await third.return();
  await streams[1]?.return();
});

test("without an override it is the service's budget, exact when many are opened at once", async () => {
  const account = await database.account();
  const opened = await Promise.allSettled(
    Array.from({ length: 50 }, () => openStream(account, source().open)),
  );
  const open = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(open).toHaveLength(30);
  await Promise.all(open.map((stream) => stream.return()));
});

test("a stream counts no more however it ended: read to its end, left, broken, or never opened", async () => {
  const account = await database.account();
  await database.pool.query("UPDATE accounts SET runs_per_minute = 1 WHERE id = $1", [
    account.accountId,
  ]);
  const broken = async () => ({
    ...(await source().open()),
    next: () => Promise.reject(new Error("gone")),
  });
  for (const round of [1, 2]) {
    expect(await textOf(await openStream(account, source(3).open))).toBe("123");
    const left = source();
    await (await openStream(account, left.open)).return();
    expect(left.ended).toHaveBeenCalledTimes(1);
    await expect(textOf(await openStream(account, broken))).rejects.toThrow("gone");
    await expect(
      openStream(account, () => Promise.reject(new Error(`refused ${round}`))),
    ).rejects.toThrow("refused");
  }
});

test("a stream of which nothing is read for a minute breaks off and is let go; a slower one than its run is not", async () => {
  const account = await database.account();
  const run = source();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stream = await openStream(account, run.open);
  for (let n = 0; n < 3; n++) {
    expect((await stream.next()).done).toBe(false);
    await vi.advanceTimersByTimeAsync(59_000);
  }
  expect(run.ended).not.toHaveBeenCalled();
  await stream.next();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run.ended).toHaveBeenCalledTimes(1);
  expect(stream.broken.aborted).toBe(true);
  await expect(stream.next()).rejects.toThrow("Nothing of the stream was read");
});

test("one person of a client token has a part of the account's streams, by whichever token; their own is no other's", async () => {
  const account = await database.account();
  const person = (endUser: string): Principal => ({
    ...account,
    agentId: account.accountId,
    client: { endUser, conversationId: null, can: ["read"], expiresAt: new Date() },
  });
  const open = (principal: Principal) => openStream(principal, source().open);
  const streams = [];
  for (let n = 0; n < CLIENT_STREAMS_MAX; n += 1) streams.push(await open(person("ada")));
  await expect(open(person("ada"))).rejects.toEqual(isLimited);
  streams.push(await open(person("grace")), await open(account));
  await streams[0]?.return();
  streams.push(await open(person("ada")));
  await database.pool.query("UPDATE accounts SET runs_per_minute = 1 WHERE id = $1", [
    account.accountId,
  ]);
  // What the account refuses leaves the person's places as they were.
  for (const _ of [1, 2]) await expect(open(person("linus"))).rejects.toEqual(isLimited);
  await Promise.all(streams.map((stream) => stream.return()));
  for (const _ of [1, 2, 3]) await (await open(person("linus"))).return();
});
