import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { admin } from "../support/admin";
import { test as base, expect, expectAccessible, expectNoFault } from "../support/console-test";
import { freePort } from "../support/servers";
import { type Credentials, fillInCredentials, signUpByRequest } from "../support/sessions";
import { startService } from "../support/start-service";

interface Named {
  baseUrl: string;
  dataDir: string;
}

// One service of its own under a name: browsers make no passkeys for the suite's IP address.
const test = base.extend<object, { named: Named }>({
  named: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-factor-"));
      const port = await freePort();
      const dataDir = path.join(folder, "data");
      const baseUrl = `http://localhost:${port}`;
      const service = await startService({
        port,
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment: { NEXTAUTH_URL: baseUrl },
      });
      await use({ baseUrl, dataDir });
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: ({ named }, use) => use(named.baseUrl),
});
test.describe.configure({ mode: "default" });

const PICTURES = process.env.E2E_PICTURES ?? "";
/** For people to look at, where a folder is named. */
const picture = async (page: Page, name: string) => {
  if (!PICTURES) return;
  for (const [width, height] of [
    [360, 740],
    [1280, 900],
  ] as const)
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(PICTURES, `${name}-${width}-${colorScheme}.png`) });
    }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: "light" });
};

const security = (page: Page) => page.getByRole("region", { name: "Security" });
const isSignedIn = async (page: Page) =>
  (await page.request.get("/api/console/keys")).status() === 200;

/** The app's code that is good in so many half minutes from now. */
const codeOf = (secret: string, steps = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });

async function signInWithPassword(page: Page, credentials: Credentials): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await fillInCredentials(page, credentials);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function setUpApp(
  page: Page,
  { password }: Credentials,
): Promise<{ secret: string; codes: string[] }> {
  await page.goto("/settings");
  await security(page).getByRole("button", { name: "Set up app" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your password").fill(password);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(
    dialog.getByRole("img", { name: "QR code for the authenticator app" }),
  ).toBeVisible();
  await picture(page, "set-up-app");
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code from the app").fill("000000");
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByText("is not right, or was used already")).toBeVisible();
  await dialog.getByLabel("Code from the app").fill(codeOf(secret, -1));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const list = page.getByRole("list", { name: "Recovery codes" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await picture(page, "recovery-codes");
  const codes = await list.getByRole("listitem").allTextContents();
  await page.getByRole("button", { name: "I have kept them" }).click();
  return { secret, codes };
}

test("with an authenticator the page asks for a code, and a recovery code does once", async ({
  page,
  named,
}) => {
  const person = await signUpByRequest(page.request, named.baseUrl);
  const { secret, codes } = await setUpApp(page, person);
  await expect(security(page).getByText("10 recovery codes are left.")).toBeVisible();
  await picture(page, "security");
  await signInWithPassword(page, person);
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  expect(await isSignedIn(page)).toBe(false);
  await expectNoFault(page, "the second step");
  await picture(page, "second-step");
  await code.fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("That code is not right")).toBeVisible();
  await code.fill(codeOf(secret));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  for (const [typed, opens] of [
    [codes[0] ?? "", true],
    [codes[0] ?? "", false],
  ] as const) {
    await signInWithPassword(page, person);
    await page.getByLabel("Code", { exact: true }).fill(typed.toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(
      opens
        ? page.getByRole("heading", { name: "Overview" })
        : page.getByText("That code is not right"),
    ).toBeVisible();
  }
  expect(await isSignedIn(page)).toBe(false);
});

test("a lost second factor is ended by the operator's command, or by a recovery code", async ({
  page,
  named,
}) => {
  const person = await signUpByRequest(page.request, named.baseUrl);
  const { codes } = await setUpApp(page, person);
  await security(page).getByRole("button", { name: "Turn off" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code", { exact: true }).fill("not a code");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(dialog.getByText("is not right, or was used already")).toBeVisible();
  await dialog.getByLabel("Code", { exact: true }).fill(codes[3] ?? "");
  await dialog.getByRole("button", { name: "Turn off" }).click();
  await expect(security(page).getByRole("button", { name: "Set up app" })).toBeVisible();
  await setUpApp(page, person);
  const answer = await admin(["account", "second-factor", "reset", "--email", person.email], {
    DATA_DIR: named.dataDir,
  });
  expect(answer).toMatchObject({ email: person.email, removed: 1 });
  expect(await isSignedIn(page)).toBe(false);
  await signInWithPassword(page, person);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});

test("a passkey is made, renamed, signs in without a password, and is removed by itself", async ({
  page,
  named,
}) => {
  const person = await signUpByRequest(page.request, named.baseUrl);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto("/settings");
  await security(page).getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the passkey").fill("Laptop");
  await dialog.getByLabel("Your password").fill(person.password);
  await picture(page, "add-passkey");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(
    page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem"),
  ).toHaveCount(10);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await security(page).getByRole("button", { name: "Rename Laptop" }).click();
  await security(page).getByLabel("Name of the passkey").fill("Work laptop");
  await security(page).getByRole("button", { name: "Save" }).click();
  await expect(security(page).getByText("Work laptop")).toBeVisible();
  await signInWithPassword(page, person);
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  expect(await isSignedIn(page)).toBe(false);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await picture(page, "sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto("/settings");
  await security(page).getByRole("button", { name: "Remove Work laptop" }).click();
  await picture(page, "remove-passkey");
  await page.getByRole("dialog").getByRole("button", { name: "Use a passkey" }).click();
  // Behind the dialog nothing of the page is there for a role to be found.
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(security(page).getByText("Work laptop")).toHaveCount(0);
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("This passkey opens nothing here")).toBeVisible();
});

test("the second factor's page fits a phone and has no accessibility fault", async ({
  page,
  named,
}) => {
  await signUpByRequest(page.request, named.baseUrl);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, "/settings", () =>
    expect(security(page).getByRole("button", { name: "Add a passkey" })).toBeVisible(),
  );
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBe(0);
  await security(page).getByRole("button", { name: "Set up app" }).click();
  await expect(page.getByRole("dialog").getByLabel("Your password")).toBeVisible();
  await expectNoFault(page, "the dialog", "[role=dialog]");
});

// The last one: it closes the address that all of these come from.
test("others' wrong passwords keep nobody out of a browser they signed in from", async ({
  page,
  named,
  browser,
}) => {
  const person = await signUpByRequest(page.request, named.baseUrl);
  const context = await browser.newContext({ baseURL: named.baseUrl });
  const stranger = await context.newPage();
  const tries = async (who: Page, { email, password }: Credentials) => {
    const { csrfToken } = await (await who.request.get("/api/auth/csrf")).json();
    const answer = await who.request.post("/api/auth/callback/credentials", {
      form: { csrfToken, email, password, json: "true" },
    });
    return new URL((await answer.json()).url).searchParams.get("error");
  };
  const answers: (string | null)[] = [];
  for (let turn = 0; turn < 11; turn++)
    answers.push(
      await tries(stranger, { email: `nobody-${turn}@example.test`, password: "wrong" }),
    );
  expect(answers).toEqual([
    ...Array.from({ length: 10 }, () => "CredentialsSignin"),
    "TooManyAttempts",
  ]);
  expect([await tries(stranger, person), await tries(page, person)]).toEqual([
    "TooManyAttempts",
    null,
  ]);
  await context.close();
});
