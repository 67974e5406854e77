import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { authenticateClientToken } from "@/lib/domain/client-tokens/authenticate-client-token";
import { readClientToken } from "@/lib/domain/client-tokens/client-token";
import { createClientToken } from "@/lib/domain/client-tokens/create-client-token";
import { followEvents } from "@/lib/domain/events/follow-events";
import { authenticateKey } from "@/lib/domain/keys/authenticate-key";
import { createKey } from "@/lib/domain/keys/create-key";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import type { Principal } from "@/lib/domain/principal";
import { openStream } from "@/lib/domain/runs/open-stream";
import { streamRun } from "@/lib/domain/runs/stream-run";
import { endSession, endSessions } from "@/lib/domain/sessions/end-sessions";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { CLIENT_STREAMS_MAX } from "@/lib/model/client-token";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase({ env: { SIGNING_SECRET: "a secret of this test" } });
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

test("an account may have a minute's starts of streams open; one more starts none", async () => {
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

test("without an override it is the service's budget, exact for many at once", async () => {
  const account = await database.account();
  const opened = await Promise.allSettled(
    Array.from({ length: 50 }, () => openStream(account, source().open)),
  );
  const open = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  expect(open).toHaveLength(30);
  await Promise.all(open.map((stream) => stream.return()));
});

test("a stream counts no more, read to its end, left, broken, or never opened", async () => {
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

test("a stream unread for a minute is let go; one slower than its run is not", async () => {
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

test("one person of client tokens has a part of the account's streams, their own", async () => {
  const account = await database.account();
  const person = (endUser: string): Principal => ({
    ...account,
    agentId: account.accountId,
    client: {
      ...{ endUser, conversationId: null, can: ["read"], expiresAt: new Date() },
      madeBy: { by: "key", id: account.accountId },
    },
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

async function keyOf(account: Principal): Promise<{ id: string; principal: Principal }> {
  const { id, apiKey } = await createKey(account, { name: "k", agentId: null, expiresAt: null });
  const entry = await authenticateKey(apiKey, "account", "read");
  if (!entry) throw new Error("the key is not known");
  return { id, principal: entry.principal };
}

async function sessionOf(account: Principal): Promise<Principal> {
  const sessionId = newId();
  await database.pool.query(
    `INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent, expires_at)
     SELECT $1, u.id, u.account_id, u.session_version, '', '', now() + interval '1 day' FROM users u
     WHERE u.account_id = $2`,
    [sessionId, account.accountId],
  );
  return { ...account, via: "session", sessionId };
}

async function personOf(maker: Principal, agentId: string): Promise<Principal> {
  const { token } = await createClientToken(maker, {
    ...{ agentId, endUser: "ada", conversationId: null, can: ["read"], origins: [] },
    expiresInSeconds: 600,
  });
  const claims = readClientToken(token);
  const entry = claims && (await authenticateClientToken(claims, "read"));
  if (!entry) throw new Error("the token was not let in");
  return entry.principal;
}

const END = { done: true, value: undefined };
const follow = (principal: Principal) =>
  openStream(principal, async (ended) =>
    followEvents(principal, 0, ["run.completed"], (event) => event, ended),
  );
const query = (text: string, id: string) => database.pool.query(text, [id]);

test.each<[string, (account: Principal) => Promise<[Principal, () => Promise<unknown>]>]>([
  [
    "a key that is revoked",
    async (account) => {
      const { id, principal } = await keyOf(account);
      return [principal, () => revokeKey(account, id)];
    },
  ],
  [
    "a key that expires",
    async (account) => {
      const { id, principal } = await keyOf(account);
      return [principal, () => query("UPDATE api_keys SET expires_at = now() WHERE id = $1", id)];
    },
  ],
  [
    "a session that is ended",
    async (account) => {
      const session = await sessionOf(account);
      return [session, () => endSession(session, session.sessionId ?? "")];
    },
  ],
  [
    "a session whose user has all ended",
    async (account) => {
      const session = await sessionOf(account);
      return [session, () => endSessions(session)];
    },
  ],
  [
    "an account that is being deleted",
    async (account) => [
      (await keyOf(account)).principal,
      () => query("UPDATE accounts SET deleting_at = now() WHERE id = $1", account.accountId),
    ],
  ],
  [
    "a token whose key is revoked",
    async (account) => {
      const { id, principal } = await keyOf(account);
      const agent = await insertTestAgent(account);
      return [await personOf(principal, agent.id), () => revokeKey(account, id)];
    },
  ],
  [
    "a token whose session is ended",
    async (account) => {
      const session = await sessionOf(account);
      const agent = await insertTestAgent(account);
      return [
        await personOf(session, agent.id),
        () => endSession(session, session.sessionId ?? ""),
      ];
    },
  ],
  [
    "a token whose agent is archived",
    async (account) => {
      const agent = await insertTestAgent(account);
      return [
        await personOf((await keyOf(account)).principal, agent.id),
        () => query("UPDATE agents SET status = 'archived' WHERE id = $1", agent.id),
      ];
    },
  ],
  [
    "a token whose account is blocked",
    async (account) => {
      const agent = await insertTestAgent(account);
      return [
        await personOf((await keyOf(account)).principal, agent.id),
        () => query("UPDATE accounts SET blocked = true WHERE id = $1", account.accountId),
      ];
    },
  ],
])("the account's events end with %s", async (_, enter) => {
  const account = await database.account();
  const [principal, end] = await enter(account);
  const [stream, second] = [await follow(principal), await follow(principal)];
  const waiting = [stream.next(), second.next()];
  await end();
  // A ping comes after ten seconds, and would be no end.
  expect(await Promise.all(waiting)).toEqual([END, END]);
  expect(await stream.next()).toEqual(END);
});

test("another key's stream goes on, of a blocked account too, which reads", async () => {
  const account = await database.account();
  await query("UPDATE accounts SET blocked = true WHERE id = $1", account.accountId);
  const [kept, revoked] = [await keyOf(account), await keyOf(account)];
  const [going, ending] = [await follow(kept.principal), await follow(revoked.principal)];
  const [next, end] = [going.next(), ending.next()];
  await revokeKey(account, revoked.id);
  expect(await end).toEqual(END);
  await database.pool.query(
    `INSERT INTO account_events (id, account_id, type, data)
     VALUES ($1, $2, 'run.completed', '{}')`,
    [newId(), account.accountId],
  );
  expect((await next).value).toContain("run.completed");
  await going.return();
});

test("a run's stream ends with the key that reads it", async () => {
  const account = await database.account();
  const { id, principal } = await keyOf(account);
  const run = await startTestRun(account);
  const stream = await openStream(principal, async (ended) =>
    streamRun(run, -1, "http://localhost", ended),
  );
  expect((await stream.next()).value).toContain("run.created");
  const next = stream.next();
  await revokeKey(account, id);
  expect(await next).toEqual(END);
});
