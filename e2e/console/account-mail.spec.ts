import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts";
import { test as base, expect, expectAccessible, openConsole } from "../support/console-test";
import { type MailServer, startMailServer } from "../support/mail-server";
import { freePort } from "../support/servers";
import { type Credentials, fillInCredentials } from "../support/sessions";
import { signInByForm } from "../support/sign-in";
import { startService } from "../support/start-service";

interface Mailing {
  baseUrl: string;
  dataDir: string;
  mail: MailServer;
}

// One service of its own that can send mail; the suite's cannot.
const test = base.extend<object, { mailing: Mailing }>({
  mailing: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-mail-"));
      const mail = await startMailServer();
      const port = await freePort();
      const dataDir = path.join(folder, "data");
      const service = await startService({
        port,
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment: {
          NEXTAUTH_URL: `http://127.0.0.1:${port}`,
          SMTP_URL: mail.url,
          MAIL_FROM: "Lathe <no-reply@example.test>",
        },
      });
      await use({ baseUrl: service.baseUrl, dataDir, mail });
      await service.stop();
      await mail.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: ({ mailing }, use) => use(mailing.baseUrl),
});
test.describe.configure({ mode: "default" });

const somebody = (): Credentials => ({
  email: `mail-${randomBytes(6).toString("hex")}@example.test`,
  password: randomBytes(9).toString("base64url"),
});
const linkIn = (text: string) => /https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? "";

async function signUpByMail(page: Page, person: Credentials): Promise<void> {
  await page.goto("/sign-up");
  await fillInCredentials(page, person);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible();
}

async function creditsOf(page: Page): Promise<number> {
  const answer = await page.request.get("/api/console/v1/account/usage");
  return (await answer.json()).credits.available;
}

test("a person who signs up confirms by a mailed page's button, and has the account", async ({
  page,
  mailing,
}) => {
  const person = somebody();
  await signUpByMail(page, person);
  const link = linkIn(
    (await mailing.mail.mailTo(person.email, "Confirm your e-mail address")).text,
  );
  // No server is told what stands behind the #.
  expect([new URL(link).search, new URL(link).hash.slice(0, 7)]).toEqual(["", "#token="]);
  await signInByForm(page, person);
  await expect(page.getByText("Confirm your address first")).toBeVisible();
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await page.getByRole("link", { name: "Sign in" }).click();
  await fillInCredentials(page, person);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  expect(await creditsOf(page)).toBe(1000);
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "This link was used already or has expired" }),
  ).toBeVisible();
});

test("opening the mailed page proves nothing: a filter's script makes no account", async ({
  page,
  mailing,
}) => {
  const person = somebody();
  await signUpByMail(page, person);
  const link = linkIn(
    (await mailing.mail.mailTo(person.email, "Confirm your e-mail address")).text,
  );
  const asked: string[] = [];
  page.on("request", (request) => void (request.method() === "GET" || asked.push(request.url())));
  // As links of earlier mails were, too: with the token in the query.
  for (const where of [link, link.replace("#", "?")]) {
    await page.goto(where, { waitUntil: "networkidle" });
    await expect(page.getByRole("button", { name: "Confirm my address" })).toBeEnabled();
  }
  expect(asked).toEqual([]);
  await signInByForm(page, person);
  await expect(page.getByText("Confirm your address first")).toBeVisible();
  await page.goto(link.replace("#", "?"));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
});

test("a sign-up with another's address has no session and no key, before and after", async ({
  page,
  mailing,
  browser,
}) => {
  const stranger = somebody();
  const owner = { email: stranger.email, password: randomBytes(9).toString("base64url") };
  const context = await browser.newContext({ baseURL: mailing.baseUrl });
  const other = await context.newPage();
  await signUpByMail(other, stranger);
  const enters = async () => {
    await other.context().clearCookies();
    const { csrfToken } = await (await other.request.get("/api/auth/csrf")).json();
    await other.request.post("/api/auth/callback/credentials", {
      form: { csrfToken, ...stranger, json: "true" },
    });
    const headers = { origin: mailing.baseUrl };
    return (
      await other.request.post("/api/console/keys", { headers, data: { name: "Left behind" } })
    ).status();
  };
  expect(await enters()).toBe(401);
  await mailing.mail.mailTo(stranger.email, "Confirm your e-mail address");
  await signUpByMail(page, owner);
  await expect.poll(() => mailing.mail.mails.filter(({ to }) => to === owner.email).length).toBe(2);
  const own = mailing.mail.mails.filter(({ to }) => to === owner.email).at(-1);
  await page.goto(linkIn(own?.text ?? ""));
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  expect(await enters()).toBe(401);
  await signInByForm(page, owner);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await context.close();
});

test("a known and an unknown address get the same answer and page; the mailbox is told", async ({
  page,
  mailing,
}) => {
  const person = somebody();
  await createAccount(mailing.baseUrl, {}, { DATA_DIR: mailing.dataDir }).then((account) =>
    Object.assign(person, { email: account.email }),
  );
  const post = (email: string) =>
    page.request.post("/api/console/sign-up", {
      headers: { origin: mailing.baseUrl },
      data: { email, password: person.password },
    });
  const fresh = somebody();
  const [known, unknown] = [await post(person.email), await post(fresh.email)];
  expect([known.status(), await known.json()]).toEqual([202, { email: person.email }]);
  expect([unknown.status(), await unknown.json()]).toEqual([202, { email: fresh.email }]);
  await signUpByMail(page, { ...person, password: "a guess at it" });
  expect(
    (await mailing.mail.mailTo(person.email, "You have an account already")).text,
  ).not.toContain("token=");
});

test("a person who forgot it chooses a password by a mailed link, and every session ends", async ({
  page,
  mailing,
  browser,
}) => {
  const person = await createAccount(mailing.baseUrl, {}, { DATA_DIR: mailing.dataDir });
  const context = await browser.newContext({ baseURL: mailing.baseUrl });
  const elsewhere = await context.newPage();
  await openConsole(elsewhere, person, "/keys");
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot it?" }).click();
  for (const email of [somebody().email, person.email]) {
    await page.goto("/forgot-password");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(
      page.getByText(`If ${email} has an account here, a link is on its way to it.`),
    ).toBeVisible();
  }
  const { text } = await mailing.mail.mailTo(person.email, "Choose a new password");
  await page.goto(linkIn(text));
  await page.getByLabel("New password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("At least 10 characters.", { exact: true })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill("a horse of another colour");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Your password is set")).toBeVisible();
  expect((await elsewhere.request.get("/api/console/keys")).status()).toBe(401);
  await signInByForm(page, { email: person.email, password: "a horse of another colour" });
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await mailing.mail.mailTo(person.email, "Your password was changed");
  expect(
    mailing.mail.mails.filter(({ subject }) => subject === "Choose a new password"),
  ).toHaveLength(1);
  await page.context().clearCookies();
  await page.goto(linkIn(text));
  await page.getByLabel("New password", { exact: true }).fill("a horse of another colour");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("link", { name: "Ask for another link" })).toBeVisible();
  await context.close();
});

test("the pages of mailed links fit a phone and have no accessibility fault", async ({ page }) => {
  const heading = () => expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  for (const where of [
    "/check-email",
    "/forgot-password",
    "/reset-password#token=x",
    "/verify-email#token=x",
    "/sign-in",
  ]) {
    await expectAccessible(page, where, heading);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, where).toBe(0);
  }
});

test("mails of the account's events are switched off and on in the settings, and stay so", async ({
  page,
  mailing,
}) => {
  const account = await createAccount(mailing.baseUrl, {}, { DATA_DIR: mailing.dataDir });
  await openConsole(page, account, "/settings");
  const mails = page.getByRole("switch", { name: /Mail me what happens/ });
  await expect(mails).toBeChecked();
  await mails.click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(mails).not.toBeChecked();
  await expectAccessible(page, "/settings", () => expect(mails).toBeVisible());
  await mails.click();
  await expect(mails).toBeChecked();
});
