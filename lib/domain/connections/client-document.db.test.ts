import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { finishSignIn, type SignInOutcome } from "@/lib/domain/connections/finish-sign-in";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";

const server = await startOauthMcpServer();
const DOCUMENT = "https://lathe.example.test/client-metadata.json";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      EGRESS_ALLOW: server.host,
      PUBLIC_URL: "https://lathe.example.test",
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
  Object.assign(server.settings, { documents: "taken", registers: true, refuses: false });
  server.seen.registrations = 0;
});

/** A sign-in as far as it comes. */
async function signIn(): Promise<{ as: string | null; outcome: SignInOutcome | "never back" }> {
  const request = { serverUrl: server.serverUrl, client: null, scopes: null };
  const { authorizationUrl } = await beginSignIn(owner, request);
  const as = new URL(authorizationUrl).searchParams.get("client_id");
  const back = await server.signIn(authorizationUrl).catch(() => null);
  if (back === null) return { as, outcome: "never back" };
  const outcome = await finishSignIn(owner, {
    state: back.searchParams.get("state") ?? "",
    code: back.searchParams.get("code"),
    error: back.searchParams.get("error"),
    errorDescription: back.searchParams.get("error_description"),
    issuer: back.searchParams.get("iss"),
  });
  return { as, outcome };
}

const BY_DOCUMENT = { as: DOCUMENT, outcome: "connected" };
const REGISTERED = { as: expect.stringMatching(/^[0-9a-f]{16}$/), outcome: "connected" };

test("a server taking the metadata document is signed in at by it, again and again", async () => {
  expect(await signIn()).toEqual(BY_DOCUMENT);
  expect(await signIn()).toEqual(BY_DOCUMENT);
  expect(server.seen.registrations).toBe(0);
});

test.each([
  ["by a page that leads nowhere", "refused by a page", "never back"],
  ["where tokens are asked for", "refused for tokens", "refused"],
])(
  "one that refuses it %s registers this service at the next sign-in",
  async (_, documents, outcome) => {
    Object.assign(server.settings, { documents });
    expect(await signIn()).toEqual({ as: DOCUMENT, outcome });
    const registered = await signIn();
    expect(registered).toEqual(REGISTERED);
    expect(await signIn()).toEqual(registered);
    expect(server.seen.registrations).toBe(1);
  },
);

test("one that took it once and refuses it now registers this service", async () => {
  expect(await signIn()).toEqual(BY_DOCUMENT);
  server.settings.documents = "refused by a page";
  expect(await signIn()).toEqual({ as: DOCUMENT, outcome: "never back" });
  expect(await signIn()).toEqual(REGISTERED);
});

test("where a server registers nobody, a given-up sign-in begins by document", async () => {
  server.settings.registers = false;
  server.settings.refuses = true;
  expect(await signIn()).toEqual({ as: DOCUMENT, outcome: "refused" });
  server.settings.refuses = false;
  expect(await signIn()).toEqual(BY_DOCUMENT);
});
