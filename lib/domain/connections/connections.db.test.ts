import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type OauthMcpServer, startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { accessToken } from "@/lib/domain/connections/access-token";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { getConnection } from "@/lib/domain/connections/connection-store";
import { deleteConnection } from "@/lib/domain/connections/delete-connection";
import { finishSignIn } from "@/lib/domain/connections/finish-sign-in";
import { listConnections } from "@/lib/domain/connections/list-connections";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";

let server: OauthMcpServer;
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  server = await startOauthMcpServer();
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: server.host,
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
  Object.assign(server.settings, {
    tokenSeconds: 3_600,
    refuses: false,
    renewalHeld: Promise.resolve(),
    renewalFails: false,
  });
  Object.assign(server.seen, { registrations: 0, renewals: 0, renewalsAtOnce: 0, revoked: [] });
});

const own = ({ accountId }: Principal) => ({ accountId, endUser: null });
const begin = (who = owner) =>
  beginSignIn(who, { serverUrl: server.serverUrl, client: null, scopes: null });
const answerOf = (back: URL) => ({
  state: back.searchParams.get("state") ?? "",
  code: back.searchParams.get("code"),
  error: back.searchParams.get("error"),
  errorDescription: back.searchParams.get("error_description"),
  issuer: back.searchParams.get("iss"),
});

async function signIn(who = owner): Promise<string> {
  const { connection, authorizationUrl } = await begin(who);
  expect(await finishSignIn(who, answerOf(await server.signIn(authorizationUrl)))).toBe(
    "connected",
  );
  return connection.id;
}

describe("a sign-in", () => {
  test("asks for the server's tokens by PKCE, at our address, registered once", async () => {
    const { authorizationUrl } = await begin();
    const { searchParams: asked } = new URL(authorizationUrl);
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      resource: server.serverUrl,
      scope: "tickets",
      redirect_uri: expect.stringMatching(
        /^http:\/\/localhost:\d+\/api\/console\/connections\/callback$/,
      ),
    });
    const again = new URL((await begin()).authorizationUrl).searchParams;
    expect(server.seen.registrations).toBe(1);
    expect(again.get("client_id")).toBe(asked.get("client_id"));
    expect(again.get("state")).not.toBe(asked.get("state"));
  });

  test("gives a token that only its account gets, sealed and shown nowhere", async () => {
    const stranger = await database.account();
    const id = await signIn();
    const token = await accessToken(own(owner), server.serverUrl);
    expect(server.seen.tokens).toContain(token);
    expect(server.seen.resources).toContain(server.serverUrl);
    await expect(accessToken(own(stranger), server.serverUrl)).rejects.toThrow(
      /is missing: its owner must sign in, at .*\/connections\.$/,
    );
    await expect(getConnection(stranger, id)).rejects.toMatchObject({
      code: "CONNECTION_NOT_FOUND",
    });
    await expect(deleteConnection(stranger, id)).rejects.toMatchObject({
      code: "CONNECTION_NOT_FOUND",
    });
    expect((await listConnections(stranger, { limit: 10, cursor: null })).data).toEqual([]);
    const { rows } = await database.pool.query(
      `SELECT * FROM mcp_connections m FULL JOIN audit_events a ON a.object_id = m.id
       WHERE m.id = $1`,
      [id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/access-|refresh-/);
    expect((await getConnection(owner, id)).status).toBe("connected");
  });

  test("a state counts once, for its account, and for the session that began it", async () => {
    const session = { ...owner, via: "session" as const, sessionId: newId() };
    const { authorizationUrl } = await begin(session);
    const answer = answerOf(await server.signIn(authorizationUrl));
    expect(await finishSignIn(await database.account(), answer)).toBe("unknown");
    expect(await finishSignIn({ ...session, sessionId: newId() }, answer)).toBe("unknown");
    expect(await finishSignIn(session, { ...answer, state: `${answer.state}x` })).toBe("unknown");
    const both = await Promise.all([finishSignIn(session, answer), finishSignIn(session, answer)]);
    expect(both.sort()).toEqual(["connected", "unknown"]);
    expect(await finishSignIn(session, answer)).toBe("unknown");
  });

  test("a further one replaces one under way; after ten minutes one is over", async () => {
    const first = answerOf(await server.signIn((await begin()).authorizationUrl));
    const { connection, authorizationUrl, isNew } = await begin();
    expect(isNew).toBe(false);
    expect(await finishSignIn(owner, first)).toBe("unknown");
    await database.pool.query(
      "UPDATE mcp_connections SET sign_in_until = now() - interval '1 second' WHERE id = $1",
      [connection.id],
    );
    expect(await finishSignIn(owner, answerOf(await server.signIn(authorizationUrl)))).toBe(
      "unknown",
    );
  });

  test("one refused, or in another issuer's name, is said, and the old one holds", async () => {
    const id = await signIn();
    const token = await accessToken(own(owner), server.serverUrl);
    server.settings.refuses = true;
    expect(
      await finishSignIn(owner, answerOf(await server.signIn((await begin()).authorizationUrl))),
    ).toBe("refused");
    expect(await getConnection(owner, id)).toMatchObject({
      status: "connected",
      lastError: expect.stringMatching(/^Access was refused at http/),
    });
    server.settings.refuses = false;
    const answer = answerOf(await server.signIn((await begin()).authorizationUrl));
    expect(await finishSignIn(owner, { ...answer, issuer: "https://elsewhere.example" })).toBe(
      "refused",
    );
    expect((await getConnection(owner, id)).lastError).toMatch(/did not come from http/);
    expect(await accessToken(own(owner), server.serverUrl)).toBe(token);
  });

  test("a server that is not there, or that is no public address, stores nothing", async () => {
    const at = (serverUrl: string) => beginSignIn(owner, { serverUrl, client: null, scopes: null });
    await expect(at("http://10.0.0.1/mcp")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("public"),
    });
    await expect(at("http://example.com/mcp")).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining("https"),
    });
    await expect(at(server.plainUrl)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect((await listConnections(owner, { limit: 10, cursor: null })).data).toEqual([]);
  });
});

describe("a token", () => {
  test("that ends soon is renewed by one of many, and all get the same", async () => {
    server.settings.tokenSeconds = 30;
    await signIn();
    server.settings.tokenSeconds = 3_600;
    let release = () => {};
    server.settings.renewalHeld = new Promise((resolve) => {
      release = resolve;
    });
    const asked = Promise.all(
      Array.from({ length: 12 }, () => accessToken(own(owner), server.serverUrl)),
    );
    await vi.waitFor(() => expect(server.seen.renewals).toBe(1), { timeout: 10_000 });
    release();
    expect(new Set(await asked).size).toBe(1);
    expect(server.seen).toMatchObject({ renewals: 1, renewalsAtOnce: 1 });
    // The refresh token was rotated: the one that is kept renews again.
    const [token] = await asked;
    expect(await accessToken(own(owner), server.serverUrl, token)).not.toBe(token);
    expect(server.seen.renewals).toBe(2);
  });

  test("that the server refuses is renewed once for all who were refused", async () => {
    await signIn();
    const token = await accessToken(own(owner), server.serverUrl);
    server.endAccess();
    const fresh = await Promise.all(
      Array.from({ length: 8 }, () => accessToken(own(owner), server.serverUrl, token)),
    );
    expect(new Set(fresh).size).toBe(1);
    expect(fresh[0]).not.toBe(token);
    expect(server.seen.renewals).toBe(1);
  });

  test("of an ended grant leaves a sign-in needed, and the server's words redacted", async () => {
    const id = await signIn();
    const token = await accessToken(own(owner), server.serverUrl);
    server.endGrants();
    await expect(accessToken(own(owner), server.serverUrl, token)).rejects.toThrow(
      /has ended: its owner must sign in again, at .*\/connections\.$/,
    );
    const ended = await getConnection(owner, id);
    expect(ended).toMatchObject({
      status: "needs_sign_in",
      lastError: expect.stringMatching(/invalid_grant \(no such grant: \[redacted\]\)/),
    });
    const { rows } = await database.pool.query(
      "SELECT title, path, body FROM notifications WHERE account_id = $1",
      [owner.accountId],
    );
    expect(rows).toEqual([
      {
        title: "A connection needs a new sign-in",
        path: "/connections",
        body: expect.stringContaining(`The sign-in to ${server.host} has ended.`),
      },
    ]);
    await signIn();
    expect(await getConnection(owner, id)).toMatchObject({ status: "connected", lastError: null });
  });

  test("is used on while good though renewal fails, and a dead process's lease ends", async () => {
    server.settings.tokenSeconds = 30;
    const id = await signIn();
    server.settings.renewalFails = true;
    const token = await accessToken(own(owner), server.serverUrl);
    expect((await getConnection(owner, id)).status).toBe("connected");
    await expect(accessToken(own(owner), server.serverUrl, token)).rejects.toThrow(
      /could not be renewed now/,
    );
    server.settings.renewalFails = false;
    await database.pool.query(
      `UPDATE mcp_connections SET refresh_lease = $2,
         refresh_until = clock_timestamp() + interval '1 second' WHERE id = $1`,
      [id, newId()],
    );
    expect(await accessToken(own(owner), server.serverUrl, token)).not.toBe(token);
  });
});

test("a deleted connection gives no token, and the authorization server is told", async () => {
  const id = await signIn();
  await deleteConnection(owner, id);
  expect(server.seen.revoked).toHaveLength(1);
  expect(server.seen.revoked[0]).toMatch(/^refresh-/);
  await expect(accessToken(own(owner), server.serverUrl)).rejects.toThrow(/is missing/);
  await expect(deleteConnection(owner, id)).rejects.toMatchObject({ code: "CONNECTION_NOT_FOUND" });
});
