import type { APIRequestContext } from "@playwright/test";
import { z } from "zod";
import { signInByRequest } from "../support/sessions";
import { expect, test } from "../support/test";

const token = z.looseObject({ csrfToken: z.string() });
const csrfToken = async (request: APIRequestContext) =>
  token.parse(await (await request.get("/api/auth/csrf")).json()).csrfToken;

/**
 * What a foreign page's request looks like: another host, port or scheme, a page without an origin,
 * and what is no browser at all.
 */
const foreign = (serviceUrl: string) => {
  const port = Number(new URL(serviceUrl).port);
  return [
    "http://evil.example",
    `http://evil.example:${port}`,
    serviceUrl.replace("http:", "https:"),
    serviceUrl.replace(`:${port}`, `:${port + 1}`),
    "null",
    undefined,
  ];
};

test("a signed-in person's cookie changes nothing for another origin's page, or none", async ({
  request,
  newAccount,
  serviceUrl,
}) => {
  const account = await newAccount();
  await signInByRequest(request, account);
  const keys = async () => (await (await request.get("/api/console/keys")).json()) as unknown;
  const before = await keys();
  for (const origin of foreign(serviceUrl)) {
    const headers: Record<string, string> = origin === undefined ? {} : { origin };
    for (const [path, data] of [
      ["/api/console/keys", { name: "stolen" }],
      ["/api/console/v1/agents", { name: "stolen", description: "x", skill: "x" }],
    ] as const) {
      const answer = await request.post(path, { headers, data });
      expect(answer.status(), `${path} from ${origin}`).toBe(401);
      expect(await answer.json()).toMatchObject({ message: expect.stringContaining("own pages") });
    }
  }
  expect(await keys()).toEqual(before);
  expect((await account.api.get("/v1/agents")).json()).toMatchObject({ data: [] });
  expect(
    (
      await request.post("/api/console/keys", {
        headers: { origin: serviceUrl },
        data: { name: "mine" },
      })
    ).status(),
  ).toBe(201);
});

test("a name pointed at this machine is not believed, although Origin and Host agree", async ({
  request,
  serviceUrl,
}) => {
  const host = `rebound.example:${new URL(serviceUrl).port}`;
  const data = { email: `rebound-${Date.now()}@example.test`, password: "a long enough password" };
  const answer = await request.post("/api/console/sign-up", {
    headers: { host, origin: `http://${host}` },
    data,
  });
  expect(answer.status()).toBe(401);
});

test("another site can sign nobody in or out, even with a token and cookie of next-auth's", async ({
  request,
  newAccount,
  serviceUrl,
}) => {
  const { email, password } = await newAccount();
  const form = { csrfToken: await csrfToken(request), email, password, json: "true" };
  for (const origin of foreign(serviceUrl).filter((each) => each !== undefined)) {
    const refused = await request.post("/api/auth/callback/credentials", {
      headers: { origin },
      form,
    });
    expect(refused.status(), origin).toBe(401);
    expect((await request.get("/api/console/keys")).status(), origin).toBe(401);
  }
  expect(
    (
      await request.post("/api/auth/callback/credentials", {
        headers: { origin: serviceUrl },
        form,
      })
    ).status(),
  ).toBe(200);
  for (const origin of foreign(serviceUrl).filter((each) => each !== undefined)) {
    await request.post("/api/auth/signout", {
      headers: { origin },
      form: { csrfToken: form.csrfToken, json: "true" },
    });
    expect((await request.get("/api/console/keys")).status(), origin).toBe(200);
  }
});

test("signing in leads to no other site, whatever the address to come back to says", async ({
  request,
  newAccount,
  serviceUrl,
}) => {
  const account = await newAccount();
  const hostile = [
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    `${serviceUrl}@evil.example`,
    "\thttps://evil.example",
    "no address at all",
    "http://[",
  ];
  for (const callbackUrl of hostile) {
    const form = {
      csrfToken: await csrfToken(request),
      email: account.email,
      password: account.password,
      callbackUrl,
      json: "true",
    };
    const answer = await request.post("/api/auth/callback/credentials", {
      headers: { origin: serviceUrl },
      form,
    });
    expect(answer.status(), callbackUrl).toBe(200);
    expect(new URL(((await answer.json()) as { url: string }).url).hostname, callbackUrl).toMatch(
      /^(localhost|127\.0\.0\.1)$/,
    );
    for (const path of ["/sign-in", "/sign-up", "/api/auth/signin", "/api/auth/signout"]) {
      const page = await request.get(`${path}?callbackUrl=${encodeURIComponent(callbackUrl)}`, {
        maxRedirects: 0,
      });
      expect(page.status(), `${path} ${callbackUrl}`).toBeLessThan(400);
      const location = new URL(page.headers().location ?? "/", serviceUrl);
      expect(location.hostname, `${path} ${callbackUrl}`).toMatch(/^(localhost|127\.0\.0\.1)$/);
    }
  }
});

test("a body of the sign-in that is no JSON is the sender's mistake, not the service's", async ({
  request,
  serviceUrl,
}) => {
  const headers = { origin: serviceUrl, "content-type": "application/json" };
  const answer = await request.post("/api/auth/callback/credentials", {
    headers,
    data: Buffer.from("{"),
  });
  expect(answer.status()).toBe(400);
  expect(await answer.json()).toMatchObject({ error: "INVALID_INPUT" });
});
