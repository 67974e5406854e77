import { beforeEach, expect, test } from "vitest";
import { answerAuth, authOptions, listOutsideProviders } from "@/lib/api/console/auth-options";
import { type Env, env } from "@/lib/env";

const NONE: Partial<Env> = {
  GITHUB_CLIENT_ID: "",
  GITHUB_CLIENT_SECRET: "",
  GOOGLE_CLIENT_ID: "",
  GOOGLE_CLIENT_SECRET: "",
  OIDC_ISSUER: "",
  OIDC_CLIENT_ID: "",
};

/** The operator's settings for one test: the environment is read once a process. */
const settings = (wanted: Partial<Env>) => Object.assign(env(), NONE, wanted);
beforeEach(() => settings({}));

const BASE = "https://console.example";
const redirect = (url: string) => authOptions().callbacks?.redirect?.({ url, baseUrl: BASE });

test.each([
  ["/agents?tab=all", `${BASE}/agents?tab=all`],
  [`${BASE}/runs`, `${BASE}/runs`],
  ["https://evil.example/runs", BASE],
  ["//evil.example/runs", BASE],
  ["/\\evil.example", BASE],
  [`${BASE}.evil.example/`, BASE],
  ["http://console.example/", BASE],
  ["javascript:alert(1)", BASE],
  ["https://[", BASE],
])(
  "after a sign-in %j leads to %s, so never to a page that is not the console's",
  async (asked, led) => {
    expect(await redirect(asked)).toBe(led);
  },
);

test.each([
  [{}, []],
  [{ GITHUB_CLIENT_ID: "g", GITHUB_CLIENT_SECRET: "s" }, ["github"]],
  [{ GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "s" }, ["google"]],
  [{ OIDC_ISSUER: "https://id.example", OIDC_CLIENT_ID: "c" }, ["oidc"]],
  [{ OIDC_ISSUER: "https://id.example" }, []],
  [{ OIDC_CLIENT_ID: "c" }, []],
] as const)("with the settings %j the sign-in page offers %j", (wanted, offered) => {
  settings(wanted);
  expect(listOutsideProviders().map(({ id }) => id)).toEqual(offered);
});

test("a session's cookie holds what its token says, which later requests leave", async () => {
  const { jwt, session } = authOptions().callbacks ?? {};
  const token = { userId: "u", sessionId: "s" };
  // next-auth's types demand what it passes at a sign-in only.
  const later = { token } as unknown as Parameters<NonNullable<typeof jwt>>[0];
  expect(await jwt?.(later)).toEqual(token);
  const seen = { session: { expires: "" }, token } as unknown as Parameters<
    NonNullable<typeof session>
  >[0];
  expect(await session?.(seen)).toEqual({ expires: "", ...token });
});

test("signing out without a session asks nothing of the database", async () => {
  // There is none in this test: whatever were asked of it would fail.
  for (const token of [{ userId: "u", sessionId: null }, { userId: "u" }])
    await expect(
      authOptions().events?.signOut?.({ token, session: { expires: "" } }),
    ).resolves.toBeUndefined();
});

test("credentials that are not whole are refused before anything is asked", async () => {
  const provider = authOptions().providers.find(({ id }) => id === "credentials");
  const { authorize } = (provider?.options ?? {}) as {
    authorize?(given: unknown, request: object): Promise<unknown>;
  }; // our own provider's
  for (const given of [undefined, {}, { email: "a@example.test" }, { password: "p" }])
    expect(await authorize?.(given, {}), JSON.stringify(given)?.slice(0, 60)).toBeNull();
});

const ACTIONS = ["callback/credentials", "signin/github", "signout", "session"];
const post = (action: string, origin: string) =>
  answerAuth(
    new Request(`http://localhost:3000/api/auth/${action}`, {
      method: "POST",
      headers: { host: "localhost:3000", origin },
    }),
    {},
  );

test("posts without an Origin and every page's reads pass: next-auth decides", async () => {
  const url = "http://localhost:3000/api/auth/session";
  const posted = await answerAuth(
    new Request(url, { method: "POST", headers: { host: "localhost:3000" } }),
    {},
  );
  const looked = await answerAuth(
    new Request(url, { headers: { host: "localhost:3000", origin: "http://evil.example" } }),
    {},
  );
  for (const { status } of [posted, looked]) expect(status).not.toBe(401);
});

test.each(ACTIONS)(
  "another site's page reaches nothing of next-auth's %s, whatever token and cookie it sends",
  async (action) => {
    for (const origin of [
      "null",
      "http://evil.example",
      "https://localhost:3000",
      "http://localhost:3001",
    ]) {
      const response = await post(action, origin);
      expect(response.status, origin).toBe(401);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect(await response.json()).toMatchObject({
        error: "AUTHENTICATION_REQUIRED",
        url: expect.stringMatching(/^http:\/\/localhost:\d+\/sign-in\?error=ForeignOrigin$/),
      });
    }
  },
);
