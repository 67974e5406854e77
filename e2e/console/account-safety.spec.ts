import type { Page } from "@playwright/test";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { type Credentials, fillInCredentials } from "../support/sessions";
import { signIn } from "../support/sign-in";

const isSignedIn = async (page: Page) =>
  (await page.request.get("/api/console/keys")).status() === 200;

test("a copy of the cookie opens nothing once its browser has signed out", async ({
  signedIn: { page },
  browser,
  serviceUrl,
}) => {
  const copy = await browser.newContext({
    baseURL: serviceUrl,
    storageState: await page.context().storageState(),
  });
  const thief = await copy.newPage();
  expect(await isSignedIn(thief)).toBe(true);
  await page.goto("/");
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect(await isSignedIn(thief)).toBe(false);
  await copy.close();
});

test("a person sees their sessions, ends one, then all others, and stays signed in here", async ({
  signedIn: { page, credentials },
  browser,
  serviceUrl,
}) => {
  const contexts = await Promise.all(
    [1, 2, 3].map(() => browser.newContext({ baseURL: serviceUrl })),
  );
  const [first, second, third] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!first || !second || !third) throw new Error("no pages");
  for (const other of [first, second, third]) await openConsole(other, credentials, "/keys");
  await page.goto("/settings");
  const rows = page.getByRole("region", { name: "Sessions" }).getByRole("listitem");
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: "This browser" })).toHaveCount(1);
  // Newest first: the third browser's.
  await rows
    .first()
    .getByRole("button", { name: /^End the session of Chrome on / })
    .click();
  await expect(rows).toHaveCount(3);
  expect([await isSignedIn(third), await isSignedIn(second)]).toEqual([false, true]);
  await page.getByRole("button", { name: "End all others" }).click();
  await expect(rows).toHaveCount(1);
  expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(page)]).toEqual([
    false,
    false,
    true,
  ]);
  for (const context of contexts) await context.close();
});

test("a new password ends other sessions and, if wanted, keys; a wrong one neither", async ({
  page,
  newAccount,
  browser,
  serviceUrl,
}) => {
  const account = await newAccount();
  const context = await browser.newContext({ baseURL: serviceUrl });
  const other = await context.newPage();
  await openConsole(other, account, "/keys");
  await openConsole(page, account, "/settings");
  const form = page.getByRole("region", { name: "Password" });
  await form.getByRole("switch", { name: /Revoke every API key/ }).click();
  await expect(
    form.getByRole("list", { name: "Keys that will be revoked" }).getByText("Operator"),
  ).toBeVisible();
  await form.getByLabel("Current password").fill("not the password");
  await form.getByLabel("New password").fill("another horse entirely");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByText("is not your password")).toBeVisible();
  expect((await account.api.get("/v1/account")).status).toBe(200);
  expect(await isSignedIn(other)).toBe(true);
  await form.getByLabel("Current password").fill(account.password);
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Changed. Your other sessions have ended.")).toBeVisible();
  expect((await account.api.get("/v1/account")).status).toBe(401);
  expect([await isSignedIn(page), await isSignedIn(other)]).toEqual([true, false]);
  await context.close();
});

test("a person deletes their account by password: keys, sessions end, the name frees", async ({
  page,
  newAccount,
  newAgent,
  serviceUrl,
}) => {
  const account = await newAccount();
  await newAgent({ name: "Soon gone" }, account.api);
  await openConsole(page, account, "/settings");
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill("not the password");
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(dialog.getByText("is not your password")).toBeVisible();
  expect((await account.api.get("/v1/account")).status).toBe(200);
  await dialog.getByLabel("Your password").fill(account.password);
  await dialog.getByRole("button", { name: "Delete for good" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect((await account.api.get("/v1/account")).status).toBe(401);
  expect(await isSignedIn(page)).toBe(false);
  const again = () =>
    page.request
      .post("/api/console/sign-up", {
        headers: { origin: serviceUrl },
        data: { email: account.email, password: "correct horse battery" },
      })
      .then((answer) => answer.status());
  await expect.poll(again, { timeout: 90_000 }).toBe(201);
});

test("no address of another site is where a person ends up after signing in or out", async ({
  page,
  newAccount,
  serviceUrl,
}) => {
  const account = await newAccount();
  for (const hostile of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "http:evil.example",
  ]) {
    await page.context().clearCookies();
    await signInAt(page, `/sign-in?callbackUrl=${encodeURIComponent(hostile)}`, account);
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    expect(new URL(page.url()).origin, hostile).toBe(serviceUrl);
    const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
    for (const action of ["signout", "callback/credentials"]) {
      const form = {
        csrfToken,
        callbackUrl: hostile,
        json: "true",
        email: account.email,
        password: account.password,
      };
      const { url } = await (await page.request.post(`/api/auth/${action}`, { form })).json();
      expect(new URL(url, serviceUrl).hostname, `${action} ${hostile}`).not.toContain("evil");
    }
  }
});

async function signInAt(page: Page, path: string, credentials: Credentials): Promise<void> {
  await page.goto(path);
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("what the console sends for a signed-in person is refused from another site or none", async ({
  signedIn: { page },
  serviceUrl,
}) => {
  const end = (headers: Record<string, string>) =>
    page.request
      .post("/api/console/sessions/end-others", { headers })
      .then((answer) => answer.status());
  expect(await end({})).toBe(401);
  expect(await end({ origin: "https://evil.test" })).toBe(401);
  expect(await end({ origin: serviceUrl })).toBe(204);
});

test("the settings have no fault of accessibility in light and dark, and fit a phone", async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  await signIn(page, account);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, "/settings", () =>
    expect(page.getByText("This browser")).toBeVisible(),
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByRole("dialog").getByLabel("Your password")).toBeVisible();
});
