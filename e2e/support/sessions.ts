import { randomBytes } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { z } from "zod";
import type { TestAccount } from "./accounts";
import { freshAddress } from "./fresh-address";

export interface Credentials {
  email: string;
  password: string;
}

/** Fills the two labelled fields that the sign-in and the sign-up page share. */
export async function fillInCredentials(
  page: Page,
  { email, password }: Credentials,
): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
}

function newCredentials(): Credentials {
  return {
    email: `console-${randomBytes(8).toString("hex")}@example.test`,
    password: randomBytes(12).toString("base64url"),
  };
}

/**
 * Signs up and in as the page does, without its form, and opens no page. For tests whose subject is
 * something else than signing up.
 */
export async function signUpByRequest(
  request: APIRequestContext,
  baseUrl: string,
): Promise<Credentials> {
  const credentials = newCredentials();
  const answer = await request.post("/api/console/sign-up", {
    headers: { origin: baseUrl },
    data: credentials,
  });
  if (answer.status() !== 201)
    throw new Error(`Signing up was answered with ${answer.status()}: ${await answer.text()}`);
  await signInByRequest(request, credentials);
  return credentials;
}

/**
 * Signs up through the page as a person does, by labels, and waits until the console is left open.
 */
export async function signUp(page: Page): Promise<Credentials> {
  const credentials = newCredentials();
  await page.goto("/sign-up");
  const name = page.getByLabel("Name", { exact: false });
  if (await name.count()) await name.first().fill("Console test");
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: /sign up|create (an |your )?account/i }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-up" && url.pathname !== "/sign-in");
  return credentials;
}

/** Signs in as a browser does, without one. @returns the cookie of the session */
export async function signInByHttp(
  baseUrl: string,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const from = { "x-forwarded-for": freshAddress() };
  const asked = await fetch(`${baseUrl}/api/auth/csrf`, { headers: from });
  const { csrfToken } = (await asked.json()) as { csrfToken: string }; // next-auth's answer
  const answer = await fetch(`${baseUrl}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: {
      ...from,
      cookie: cookiesOf(asked),
      origin: baseUrl,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const session = cookiesOf(answer)
    .split("; ")
    .find((cookie) => cookie.includes("session-token"));
  if (!session)
    throw new Error(`Signing in was answered with ${answer.status}: ${await answer.text()}`);
  return session;
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

const csrfAnswer = z.looseObject({ csrfToken: z.string() });

/** Signs in as the page does, without a page: the session's cookie is in `request` afterwards. */
export async function signInByRequest(
  request: APIRequestContext,
  { email, password }: Credentials,
): Promise<void> {
  const { csrfToken } = csrfAnswer.parse(await (await request.get("/api/auth/csrf")).json());
  await request.post("/api/auth/callback/credentials", {
    form: { csrfToken, email, password, json: "true" },
  });
  if ((await request.get("/api/console/keys")).status() !== 200)
    throw new Error("The owner could not be signed in.");
}

const secretAnswer = z.looseObject({ webhook_secret: z.string() });

/** Signs the account's owner in, as the page does, and reads the secret that signs its webhooks. */
export async function readWebhookSecret(
  request: APIRequestContext,
  account: Pick<TestAccount, "email" | "password">,
): Promise<string> {
  await signInByRequest(request, account);
  return secretAnswer.parse(
    await (await request.get("/api/console/v1/account/webhook-secret")).json(),
  ).webhook_secret;
}
