import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { admin } from "../support/admin";
import { test as base, expect, expectAccessible, openConsole } from "../support/console-test";
import { freePort } from "../support/servers";
import { startService } from "../support/start-service";

interface Inviting {
  baseUrl: string;
  keeper: TestAccount;
}

// One service of its own where people sign up by invitation; the suite's is open.
const test = base.extend<object, { inviting: Inviting }>({
  inviting: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-invite-"));
      const dataDir = path.join(folder, "data");
      const port = await freePort();
      const environment = { NEXTAUTH_URL: `http://127.0.0.1:${port}`, SIGN_UP: "invite" };
      const service = await startService({
        port,
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment,
      });
      const keeper = await createAccount(service.baseUrl, {}, { DATA_DIR: dataDir });
      await admin(["account", "update", "--email", keeper.email, "--admin", "true"], {
        DATA_DIR: dataDir,
      });
      await use({ baseUrl: service.baseUrl, keeper });
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: ({ inviting }, use) => use(inviting.baseUrl),
});
test.describe.configure({ mode: "default" });

const somebody = () => `guest-${randomBytes(6).toString("hex")}@example.test`;

test("without an invitation nobody signs up, on the page or over the API", async ({
  page,
  inviting,
}) => {
  await page.goto("/sign-up");
  await expect(page.getByRole("heading", { name: "You need an invitation" })).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await page.goto("/sign-up?invitation=made-up");
  await expect(
    page.getByText("This invitation was used or revoked, or has expired."),
  ).toBeVisible();
  await page.goto("/sign-in");
  await expect(page.getByRole("link", { name: "Create one" })).toHaveCount(0);
  const answer = await page.request.post("/api/console/sign-up", {
    headers: { origin: inviting.baseUrl },
    data: { email: somebody(), password: "correct horse battery" },
  });
  expect([answer.status(), (await answer.json()).error]).toEqual([409, "CONFLICT"]);
});

test("an admin invites by a link that makes one account; a revoked one opens nothing", async ({
  page,
  inviting,
  browser,
}) => {
  const [guest, unwanted] = [somebody(), somebody()];
  await openConsole(page, inviting.keeper, "/admin");
  await page.getByRole("link", { name: "Invitations" }).click();
  await expect(page.getByRole("heading", { name: "Invitations", level: 1 })).toBeVisible();
  const invite = async (email: string) => {
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await expect(page.getByText(`Pass this link on to ${email} now.`)).toBeVisible();
    return (await page.getByRole("status").getByRole("code").textContent()) ?? "";
  };
  const link = await invite(guest);
  const revoked = await invite(unwanted);
  const list = page.getByRole("region", { name: "Invitations" });
  await list.getByRole("button", { name: `Revoke the invitation of ${unwanted}` }).click();
  await expect(
    list.getByRole("listitem").filter({ hasText: unwanted }).getByText("Revoked"),
  ).toBeVisible();
  const context = await browser.newContext({ baseURL: inviting.baseUrl });
  const other = await context.newPage();
  await other.goto(revoked);
  await expect(other.getByRole("heading", { name: "You need an invitation" })).toBeVisible();
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "You are invited" })).toBeVisible();
  await expect(other.getByLabel("Email", { exact: true })).toHaveValue(guest);
  await other.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await other.getByRole("button", { name: "Create account" }).click();
  await expect(other.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.reload();
  await expect(
    list.getByRole("listitem").filter({ hasText: guest }).getByText("Accepted"),
  ).toBeVisible();
  await other.goto("/admin/invitations");
  await expect(other.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  expect((await other.request.get("/api/console/admin/invitations")).status()).toBe(404);
  await context.close();
});

test("the pages of invitations fit a phone and have no accessibility fault", async ({
  page,
  inviting,
}) => {
  const heading = () => expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page, "/sign-up", heading);
  await openConsole(page, inviting.keeper, "/admin/invitations");
  await expectAccessible(page, "/admin/invitations", heading);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBe(0);
});
