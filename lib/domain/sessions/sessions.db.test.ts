import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import type { Principal } from "@/lib/domain/principal";
import {
  endOtherSessions,
  endSession,
  endSessions,
  endSignedOutSession,
} from "@/lib/domain/sessions/end-sessions";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";
import { listSessions } from "@/lib/domain/sessions/list-sessions";
import { startSession } from "@/lib/domain/sessions/start-session";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let userId: string;

beforeAll(async () => {
  database = await openDomainDatabase();
});
beforeEach(async () => {
  ({ userId } = await createAccount({ email: `${newId()}@example.test`, password: null }));
});
afterAll(() => database.close());

async function begin(of = userId, version = 0): Promise<string> {
  const id = await startSession({
    userId: of,
    version,
    address: "192.0.2.7",
    userAgent: "Firefox",
  });
  if (!id) throw new Error("no session");
  return id;
}

async function principalOf(sessionId: string, of = userId): Promise<Principal> {
  const found = await findSessionPrincipal(sessionId, of);
  if (!found) throw new Error("the session has ended");
  return found.principal;
}

const isAlive = async (sessionId: string, of = userId) =>
  (await findSessionPrincipal(sessionId, of)) !== null;
const idsOf = async (principal: Principal, limit = 100, cursor: string | null = null) => {
  const page = await listSessions(principal, { limit, cursor });
  return { ids: page.data.map(({ id }) => id), next: page.nextCursor };
};

test("a session that signed out is dead, its cookie's copy too; the others live on", async () => {
  const [one, two] = [await begin(), await begin()];
  await endSignedOutSession(one, userId);
  expect([await isAlive(one), await isAlive(two)]).toEqual([false, true]);
});

test("a session lasts fourteen days and no longer, however often it is used", async () => {
  const session = await begin();
  const move = (days: number) =>
    database.pool.query(
      "UPDATE user_sessions SET expires_at = expires_at - make_interval(days => $2) WHERE id = $1",
      [session, days],
    );
  await move(13);
  expect(await isAlive(session)).toBe(true);
  await move(1);
  expect(await isAlive(session)).toBe(false);
});

test("a session is another user's never, whatever id its token names", async () => {
  const other = await createAccount({ email: `${newId()}@example.test`, password: null });
  expect(await isAlive(await begin(other.userId))).toBe(false);
});

test("when a session was last seen is written at most once a minute", async () => {
  const session = await begin();
  const seen = async () =>
    (
      await database.pool.query<{ at: Date }>(
        "SELECT last_seen_at AS at FROM user_sessions WHERE id = $1",
        [session],
      )
    ).rows[0]?.at.getTime() ?? 0;
  const begun = await seen();
  await isAlive(session);
  expect(await seen()).toBe(begun);
  await database.pool.query(
    "UPDATE user_sessions SET last_seen_at = now() - interval '61 seconds' WHERE id = $1",
    [session],
  );
  const old = await seen();
  await isAlive(session);
  expect(await seen()).toBeGreaterThan(old);
});

test("the user's living sessions are listed whole, newest first, the own marked", async () => {
  const stranger = await createAccount({ email: `${newId()}@example.test`, password: null });
  await begin(stranger.userId);
  const sessions = [await begin(), await begin(), await begin()];
  const gone = await begin();
  await endSignedOutSession(gone, userId);
  const principal = await principalOf(sessions[0] ?? "");
  const first = await idsOf(principal, 2);
  const second = await idsOf(principal, 2, first.next);
  expect([...first.ids, ...second.ids]).toEqual(sessions.toSorted().toReversed());
  expect(second.next).toBeNull();
  const { data } = await listSessions(principal, { limit: 100, cursor: null });
  expect(data.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).toEqual([sessions[0]]);
  expect(data[0]).toMatchObject({ address: "192.0.2.7", userAgent: "Firefox" });
});

test("a session is ended by its own user, again too, and by no stranger", async () => {
  const other = await createAccount({ email: `${newId()}@example.test`, password: null });
  const stranger = await principalOf(await begin(other.userId), other.userId);
  const [mine, target] = [await begin(), await begin()];
  await expect(endSession(stranger, target)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await isAlive(target)).toBe(true);
  const principal = await principalOf(mine);
  await endSession(principal, target);
  await endSession(principal, target);
  expect([await isAlive(mine), await isAlive(target)]).toEqual([true, false]);
  await expect(endSession(principal, newId())).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("all other sessions end at once and this one goes on; sessions begun later live", async () => {
  const [mine, ...others] = [await begin(), await begin(), await begin()];
  await endOtherSessions(await principalOf(mine));
  expect(await isAlive(mine)).toBe(true);
  for (const other of others) expect(await isAlive(other)).toBe(false);
  expect((await idsOf(await principalOf(mine))).ids).toEqual([mine]);
  expect(await isAlive(await begin(userId, 1))).toBe(true);
});

test("signing out everywhere ends this session too", async () => {
  const session = await begin();
  await endSessions(await principalOf(session));
  expect(await isAlive(session)).toBe(false);
});

test("a user has at most fifty living sessions: the oldest end", async () => {
  const old = [await begin(), await begin()];
  // Of one millisecond ids are in no order.
  for (const id of old)
    await database.pool.query("UPDATE user_sessions SET id = $2 WHERE id = $1", [
      id,
      newId(Date.now() - 60_000),
    ]);
  const sessions: string[] = [];
  for (let turn = 0; turn < 50; turn++) sessions.push(await begin());
  const { ids } = await idsOf(await principalOf(sessions[0] ?? ""));
  expect(new Set(ids)).toEqual(new Set(sessions));
});

test("what a browser says of itself is cut, and never refused", async () => {
  const id = await startSession({
    userId,
    version: 0,
    address: "unknown",
    userAgent: `${"x".repeat(399)}😀 and on`,
  });
  const { data } = await listSessions(await principalOf(id ?? ""), { limit: 1, cursor: null });
  expect(data[0]?.userAgent.length).toBeLessThanOrEqual(400);
});
