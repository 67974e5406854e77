import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OauthMcpServer, startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { accessToken, findSignedIn } from "@/lib/domain/connections/access-token";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { connectionScope, getConnection } from "@/lib/domain/connections/connection-store";
import { deleteConnection } from "@/lib/domain/connections/delete-connection";
import { finishSignIn, redeemTaken, takeAttempt } from "@/lib/domain/connections/finish-sign-in";
import { listConnections } from "@/lib/domain/connections/list-connections";
import {
  findSignInLink,
  finishEndUsersSignIn,
  isEndUsersState,
  openSignInLink,
} from "@/lib/domain/connections/sign-in-link";
import { eraseMarkedEndUsers } from "@/lib/domain/deletion/erase-end-user";
import { requestErasure } from "@/lib/domain/deletion/request-erasure";
import type { Principal } from "@/lib/domain/principal";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { ownedName } from "@/lib/model/secret/owned-name";
import { seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";

const RETURNS = "https://app.example.com";
const ADA = "ada";
const BOB = "bob";

let server: OauthMcpServer;
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  server = await startOauthMcpServer();
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: server.host,
      RETURN_ORIGINS: RETURNS,
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});
beforeEach(async () => {
  owner = await database.account();
  Object.assign(server.settings, { tokenSeconds: 3_600, refuses: false, renewalFails: false });
  Object.assign(server.seen, { registrations: 0, renewals: 0, revoked: [] });
});

const begin = (endUser: string | null, returnUrl: string | null = null, who = owner) =>
  beginSignIn(who, { serverUrl: server.serverUrl, endUser, returnUrl, client: null, scopes: null });
const linkOf = (address: string) =>
  new URLSearchParams(new URL(address).hash.slice(1)).get("link") ?? "";
const answerOf = (back: URL) => ({
  state: back.searchParams.get("state") ?? "",
  code: back.searchParams.get("code"),
  error: back.searchParams.get("error"),
  errorDescription: back.searchParams.get("error_description"),
  issuer: back.searchParams.get("iss"),
});
const tokenOf = (endUser: string | null, who = owner, refused: string | null = null) =>
  accessToken({ accountId: who.accountId, endUser }, server.serverUrl, refused);

/** A browser that has opened a link and is on its way back. */
async function opened(address: string) {
  const link = await openSignInLink(linkOf(address));
  if (!link) throw new Error("the link is good no more");
  return { keys: [link.browserKey], answer: answerOf(await server.signIn(link.authorizationUrl)) };
}

async function signIn(endUser: string, returnUrl: string | null = null): Promise<string> {
  const { connection, authorizationUrl } = await begin(endUser, returnUrl);
  const { keys, answer } = await opened(authorizationUrl);
  expect(await finishEndUsersSignIn(keys, answer)).toEqual({
    outcome: "connected",
    connectionId: connection.id,
    returnUrl,
  });
  return connection.id;
}

test("a person signs in by link, for their runs alone, before the account's", async () => {
  const { connection, authorizationUrl, isNew } = await begin(ADA);
  expect(isNew).toBe(true);
  expect(connection).toMatchObject({
    endUser: ADA,
    serverUrl: server.serverUrl,
    status: "pending",
  });
  expect(authorizationUrl).toMatch(/^http:\/\/localhost:\d+\/connect#link=[\w-]{43}$/);
  const link = linkOf(authorizationUrl);
  // Programs look at links before people do.
  for (let looked = 0; looked < 3; looked++)
    expect(await findSignInLink(link)).toEqual({
      host: server.host,
      accountName: expect.any(String),
    });
  const { keys, answer } = await opened(authorizationUrl);
  expect(await isEndUsersState([], answer.state)).toBe(true);
  expect((await finishEndUsersSignIn(keys, answer)).outcome).toBe("connected");
  const adas = await tokenOf(ADA);
  for (const [endUser, who] of [
    [null, owner],
    [BOB, owner],
    [`${ADA}\n`, owner],
    [ADA, await database.account()],
  ] as const)
    await expect(tokenOf(endUser, who)).rejects.toThrow("is missing");
  const { authorizationUrl: owners } = await begin(null);
  expect(await finishSignIn(owner, answerOf(await server.signIn(owners)))).toBe("connected");
  await signIn(BOB);
  const tokens = await Promise.all([null, ADA, BOB, "eve"].map((endUser) => tokenOf(endUser)));
  expect(tokens[1]).toBe(adas);
  expect(new Set(tokens).size).toBe(3);
  expect(tokens[3]).toBe(tokens[0]);
  const page = { limit: 10, cursor: null };
  expect((await listConnections(owner, page)).data.map(({ endUser }) => endUser)).toEqual([null]);
  expect((await listConnections(owner, page, ADA)).data).toMatchObject([
    { id: connection.id, endUser: ADA, serverUrl: server.serverUrl, status: "connected" },
  ]);
  const marks = await Promise.all(
    [null, ADA].map(async (endUser) => {
      const find = await findSignedIn({ accountId: owner.accountId, endUser }, [server.serverUrl]);
      return find(server.serverUrl);
    }),
  );
  expect(marks).toEqual([{ mark: expect.any(String) }, { mark: expect.any(String) }]);
  expect(marks[0]).not.toEqual(marks[1]);
});

test("this service registers once for an account's people, and anew where refused", async () => {
  await signIn(ADA);
  await signIn(BOB);
  expect(server.seen.registrations).toBe(1);
  const other = await database.account();
  await begin(ADA, null, other);
  expect(server.seen.registrations).toBe(2);
  // Its client is known there no more: what is left of the connection has no registration.
  const { connection } = await begin(BOB);
  const scope = connectionScope(owner.accountId, ownedName(server.serverUrl, BOB));
  await database.pool.query("UPDATE mcp_connections SET sealed = $2 WHERE id = $1", [
    connection.id,
    seal(keyRing(), "{}", scope),
  ]);
  await begin(BOB);
  expect(server.seen.registrations).toBe(3);
  await begin("carol");
  expect(server.seen.registrations).toBe(3);
});

test("a link works once, for one of two at once, for ten minutes", async () => {
  const { authorizationUrl } = await begin(ADA);
  const link = linkOf(authorizationUrl);
  const both = await Promise.all([openSignInLink(link), openSignInLink(link)]);
  expect(both.filter((one) => one !== null)).toHaveLength(1);
  expect(await openSignInLink(link)).toBeNull();
  expect(await findSignInLink(link)).toBeNull();
  const late = await begin(ADA);
  const expire = () =>
    database.pool.query(
      `UPDATE mcp_connections SET sign_in_until = now() - interval '1 second'
       WHERE account_id = $1`,
      [owner.accountId],
    );
  await expire();
  expect(await findSignInLink(linkOf(late.authorizationUrl))).toBeNull();
  expect(await openSignInLink(linkOf(late.authorizationUrl))).toBeNull();
  const slow = await opened((await begin(ADA)).authorizationUrl);
  await expire();
  expect((await finishEndUsersSignIn(slow.keys, slow.answer)).outcome).toBe("unknown");
  // A further link takes the place of one that nobody has opened.
  const [first, second] = [await begin(ADA), await begin(ADA)];
  expect(await findSignInLink(linkOf(first.authorizationUrl))).toBeNull();
  expect(await findSignInLink(linkOf(second.authorizationUrl))).not.toBeNull();
});

test("an answer counts once, from the browser that opened the link, under its state", async () => {
  const { authorizationUrl, connection } = await begin(ADA);
  const link = linkOf(authorizationUrl);
  const { keys, answer } = await opened(authorizationUrl);
  const others = await opened((await begin(BOB)).authorizationUrl);
  for (const attempt of [
    () => finishEndUsersSignIn([], answer),
    () => finishEndUsersSignIn(others.keys, answer),
    // The state alone is no key, nor is the link.
    () => finishEndUsersSignIn([answer.state], answer),
    () => finishEndUsersSignIn([link], answer),
    () => finishEndUsersSignIn(keys, { ...answer, state: link }),
    () => finishEndUsersSignIn(keys, { ...answer, state: "" }),
    () => finishEndUsersSignIn(keys, { ...answer, state: others.answer.state }),
  ])
    expect((await attempt()).outcome).toBe("unknown");
  for (const who of [
    owner,
    { ...owner, via: "session" as const, sessionId: newId() },
    await database.account(),
  ])
    expect(await finishSignIn(who, answer)).toBe("unknown");
  expect((await getConnection(owner, connection.id)).status).toBe("pending");
  const both = await Promise.all([
    finishEndUsersSignIn(keys, answer),
    finishEndUsersSignIn(keys, answer),
  ]);
  expect(both.map(({ outcome }) => outcome).sort()).toEqual(["connected", "unknown"]);
  expect((await finishEndUsersSignIn(keys, answer)).outcome).toBe("unknown");
  // An owner's state is for no browser key either.
  const { authorizationUrl: owners } = await begin(null);
  const ofOwner = answerOf(await server.signIn(owners));
  expect(await isEndUsersState([], ofOwner.state)).toBe(false);
  expect((await finishEndUsersSignIn([ofOwner.state], ofOwner)).outcome).toBe("unknown");
  expect(await findSignInLink(ofOwner.state)).toBeNull();
  expect(await openSignInLink(ofOwner.state)).toBeNull();
});

test("a browser is sent back only to where the operator lets it be sent", async () => {
  await signIn(ADA, `${RETURNS}/settings?tab=tools`);
  for (const returnUrl of [
    "https://evil.example.com/",
    "https://app.example.com.evil.example.com/",
    "https://app.example.com:8443/",
    "http://app.example.com/",
    "https://evil.example.com/?https://app.example.com",
    "https://app.example.com@evil.example.com/",
    "javascript:alert(1)//https://app.example.com",
    "data:text/html,x",
  ])
    await expect(begin(BOB, returnUrl)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      // Whoever else sends browsers where is nobody's affair.
      message: expect.not.stringContaining(`(${RETURNS}`),
    });
  expect((await listConnections(owner, { limit: 10, cursor: null }, BOB)).data).toEqual([]);
  server.settings.refuses = true;
  const { keys, answer } = await opened((await begin(ADA, `${RETURNS}/x`)).authorizationUrl);
  expect(await finishEndUsersSignIn(keys, answer)).toMatchObject({
    outcome: "refused",
    returnUrl: `${RETURNS}/x`,
  });
});

test("a person's ended sign-in is theirs to renew: the account does not stand in", async () => {
  const id = await signIn(ADA);
  const { authorizationUrl } = await begin(null);
  await finishSignIn(owner, answerOf(await server.signIn(authorizationUrl)));
  const token = await tokenOf(ADA);
  const accounts = await tokenOf(null);
  await database.pool.query("DELETE FROM account_events WHERE account_id = $1", [owner.accountId]);
  server.endGrants();
  await expect(tokenOf(ADA, owner, token)).rejects.toThrow(
    /has ended: the end user must sign in again, with a link of POST \/v1\/connections/,
  );
  expect(await getConnection(owner, id)).toMatchObject({ status: "needs_sign_in", endUser: ADA });
  expect(await tokenOf(null)).toBe(accounts);
  await expect(tokenOf(ADA)).rejects.toThrow("has ended");
  const { rows } = await database.pool.query(
    "SELECT type, data FROM account_events WHERE account_id = $1",
    [owner.accountId],
  );
  expect(rows).toEqual([
    {
      type: "connection.needs_sign_in",
      data: { connection_id: id, server_url: server.serverUrl, end_user: ADA },
    },
  ]);
  // The account's owners cannot renew it.
  const bell = await database.pool.query("SELECT 1 FROM notifications WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(bell.rowCount).toBe(0);
  await expect(tokenOf("eve", await database.account())).rejects.toThrow(
    /is missing: the end user must sign in, with a link of POST \/v1\/connections .*, or the account's owner must, at .*\/connections\.$/,
  );
  await deleteConnection(owner, id);
  expect(await tokenOf(ADA)).toBe(accounts);
});

test("a link that nobody has followed to its end cuts its person off from nothing", async () => {
  const { authorizationUrl } = await begin(null);
  await finishSignIn(owner, answerOf(await server.signIn(authorizationUrl)));
  const accounts = await tokenOf(null);
  const markOf = async (endUser: string | null) => {
    const find = await findSignedIn({ accountId: owner.accountId, endUser }, [server.serverUrl]);
    return find(server.serverUrl);
  };
  const link = await begin(ADA);
  const usesAccounts = async () => {
    expect(await tokenOf(ADA)).toBe(accounts);
    expect(await markOf(ADA)).toEqual(await markOf(null));
  };
  await usesAccounts();
  // Opened, and then refused.
  server.settings.refuses = true;
  const { keys, answer } = await opened(link.authorizationUrl);
  await usesAccounts();
  expect((await finishEndUsersSignIn(keys, answer)).outcome).toBe("refused");
  await usesAccounts();
  server.settings.refuses = false;
  await signIn(ADA);
  expect(await tokenOf(ADA)).not.toBe(accounts);
  expect(await markOf(ADA)).not.toEqual(await markOf(null));
  // One who was signed in stays theirs while a further link is open.
  server.endGrants();
  await expect(tokenOf(ADA, owner, await tokenOf(ADA))).rejects.toThrow("has ended");
  await begin(ADA);
  await expect(tokenOf(ADA)).rejects.toThrow("has ended");
  expect(await markOf(ADA)).toEqual({ problem: expect.stringContaining("has ended") });
  // Where the account has none either, both ways are named.
  const other = await database.account();
  await begin(ADA, null, other);
  await expect(tokenOf(ADA, other)).rejects.toThrow(
    /is missing: the end user must sign in.*, or the account's owner must/,
  );
});

test("while a person is erased no link of theirs works, and a late token is revoked", async () => {
  const unopened = await begin(ADA);
  const waiting = await opened((await begin(BOB)).authorizationUrl);
  for (const endUser of [ADA, BOB]) await requestErasure(owner, endUser);
  expect(await findSignInLink(linkOf(unopened.authorizationUrl))).toBeNull();
  expect(await openSignInLink(linkOf(unopened.authorizationUrl))).toBeNull();
  expect((await finishEndUsersSignIn(waiting.keys, waiting.answer)).outcome).toBe("unknown");
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  expect(server.seen.revoked).toEqual([]);
  // Erased while the authorization server was asked for the tokens.
  const { keys, answer } = await opened((await begin("carol")).authorizationUrl);
  expect(keys).toHaveLength(1);
  const taken = await takeAttempt(owner, answer.state, "end user");
  if (!taken) throw new Error("the attempt is not there");
  await requestErasure(owner, "carol");
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  expect(await redeemTaken(owner, taken, answer)).toBe("refused");
  expect(server.seen.revoked).toHaveLength(1);
  expect(server.seen.tokens).toContain(server.seen.revoked[0]);
});

test("of a blocked or gone account, or an erased person, no sign-in ends", async () => {
  for (const [change, back] of [
    [
      "UPDATE accounts SET blocked = true WHERE id = $1",
      "UPDATE accounts SET blocked = false WHERE id = $1",
    ],
    [
      "UPDATE accounts SET deleting_at = now() WHERE id = $1",
      "UPDATE accounts SET deleting_at = NULL WHERE id = $1",
    ],
  ] as const) {
    const { authorizationUrl } = await begin(ADA);
    await database.pool.query(change, [owner.accountId]);
    expect(await findSignInLink(linkOf(authorizationUrl))).toBeNull();
    expect(await openSignInLink(linkOf(authorizationUrl))).toBeNull();
    await database.pool.query(back, [owner.accountId]);
  }
  const blocked = await opened((await begin(ADA)).authorizationUrl);
  await database.pool.query("UPDATE accounts SET blocked = true WHERE id = $1", [owner.accountId]);
  expect((await finishEndUsersSignIn(blocked.keys, blocked.answer)).outcome).toBe("unknown");
  await database.pool.query("UPDATE accounts SET blocked = false WHERE id = $1", [owner.accountId]);
  await signIn(BOB);
  const erased = await opened((await begin(BOB)).authorizationUrl);
  await requestErasure(owner, BOB);
  await expect(begin(BOB)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await eraseMarkedEndUsers(60_000)).toBe(true);
  expect((await finishEndUsersSignIn(erased.keys, erased.answer)).outcome).toBe("unknown");
  expect(server.seen.revoked).toHaveLength(1);
  expect((await listConnections(owner, { limit: 10, cursor: null }, BOB)).data).toEqual([]);
});

test("what is sealed of a person's sign-in opens in nobody else's row", async () => {
  const id = await signIn(ADA);
  await signIn(BOB);
  await database.pool.query(
    `UPDATE mcp_connections SET sealed = (SELECT sealed FROM mcp_connections WHERE id = $2)
     WHERE account_id = $1 AND end_user = $3`,
    [owner.accountId, id, BOB],
  );
  await expect(tokenOf(BOB)).rejects.toThrow("must sign in");
});
