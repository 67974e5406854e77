import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type OauthMcpServer, startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { consoleSurface } from "@/lib/api/console/console-surface";
import { dispatch } from "@/lib/api/http/dispatch";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { getConnection } from "@/lib/domain/connections/connection-store";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

const ORIGIN = "https://lathe.example.com";
const RETURN_URL = "https://app.example.com/settings?tab=tools";

let server: OauthMcpServer;
let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  server = await startOauthMcpServer();
  database = await openDomainDatabase({
    env: {
      PUBLIC_URL: ORIGIN,
      EGRESS_ALLOW: server.host,
      RETURN_ORIGINS: "https://app.example.com",
      SIGNING_SECRET: Buffer.alloc(32, 5).toString("base64"),
      CHECK_RESPONSES: "true",
      IP_LIMIT_PER_MINUTE: "0",
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const ask = (path: string, init: RequestInit = {}) =>
  dispatch(consoleSurface, new Request(`${ORIGIN}/api/console${path}`, init));
const post = (path: string, body: object, headers: Record<string, string> = { origin: ORIGIN }) =>
  ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

async function linkOf(returnUrl: string | null = null): Promise<{ id: string; link: string }> {
  const { connection, authorizationUrl } = await beginSignIn(owner, {
    ...{ serverUrl: server.serverUrl, endUser: "ada", returnUrl, client: null, scopes: null },
  });
  const { origin, pathname, search, hash } = new URL(authorizationUrl);
  expect({ origin, pathname, search }).toEqual({
    origin: ORIGIN,
    pathname: "/connect",
    search: "",
  });
  return { id: connection.id, link: new URLSearchParams(hash.slice(1)).get("link") ?? "" };
}

/** What a browser keeps of an answer. */
const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

test("a browser without a session is led to the server and back, by a closed cookie", async () => {
  const { id, link } = await linkOf(RETURN_URL);
  const found = await post("/connections/link", { link });
  expect(await found.json()).toEqual({
    link: { host: server.host, account_name: expect.any(String) },
  });
  expect(found.headers.get("set-cookie")).toBeNull();
  const opened = await post("/connections/open", { link });
  expect(opened.headers.get("set-cookie")).toMatch(
    /^lathe\.connect=[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );
  const { authorization_url } = await opened.json();
  const asked = new URL(authorization_url).searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    code_challenge_method: "S256",
    redirect_uri: `${ORIGIN}/api/console/connections/callback`,
  });
  // What goes to the authorization server gives the cookie's key away to nobody.
  expect(cookieOf(opened)).not.toContain(asked.get("state"));
  const back = await server.signIn(authorization_url);
  const callback = (cookie?: string) =>
    ask(`/connections/callback${back.search}`, cookie ? { headers: { cookie } } : {});
  const elsewhere = await callback();
  expect(elsewhere.status).toBe(303);
  expect(elsewhere.headers.get("location")).toBe(`${ORIGIN}/connect?sign_in=unknown`);
  expect((await getConnection(owner, id)).status).toBe("pending");
  const ended = await callback(cookieOf(opened));
  expect(ended.status).toBe(303);
  expect(ended.headers.get("location")).toBe(`${RETURN_URL}&sign_in=connected&connection_id=${id}`);
  expect(ended.headers.get("referrer-policy")).toBe("no-referrer");
  expect((await getConnection(owner, id)).status).toBe("connected");
  // Opened again, the way back says that it is over, and leads to no sign-in of the console.
  expect((await callback(cookieOf(opened))).headers.get("location")).toBe(
    `${ORIGIN}/connect?sign_in=unknown`,
  );
});

test("no address in a query leads a browser anywhere", async () => {
  const { link } = await linkOf();
  const opened = await post("/connections/open", { link });
  const back = await server.signIn((await opened.json()).authorization_url);
  for (const name of ["return_url", "returnUrl", "redirect_uri", "location"])
    back.searchParams.set(name, "https://evil.example.com/");
  const ended = await ask(`/connections/callback${back.search}`, {
    headers: { cookie: cookieOf(opened) },
  });
  expect(ended.headers.get("location")).toBe(`${ORIGIN}/connect?sign_in=connected`);
});

test("another site's page opens no link, nor does a foreign cookie", async () => {
  const { id, link } = await linkOf();
  for (const headers of [{}, { origin: "https://evil.example.com" }, { origin: "null" }] as Record<
    string,
    string
  >[])
    expect((await post("/connections/open", { link }, headers)).status).toBe(401);
  expect((await post("/connections/open", { link: `${link}x` })).status).toBe(400);
  const opened = await post("/connections/open", { link });
  expect((await post("/connections/open", { link })).status).toBe(400);
  const back = await server.signIn((await opened.json()).authorization_url);
  const forged = cookieOf(opened).replace(/=(.)/, (_, first) => `=${first === "A" ? "B" : "A"}`);
  for (const cookie of [forged, `lathe.connect=${back.searchParams.get("state")}`])
    expect(
      (await ask(`/connections/callback${back.search}`, { headers: { cookie } })).headers.get(
        "location",
      ),
    ).toBe(`${ORIGIN}/connect?sign_in=unknown`);
  expect((await getConnection(owner, id)).status).toBe("pending");
});
