import { admin } from "../support/admin";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { signInByForm } from "../support/sign-in";

test("an owner reads who did what from where, opens an entry, and filters by act and day", async ({
  signedIn: { page, credentials },
  serviceUrl,
}) => {
  const headers = { origin: serviceUrl };
  const made = await (
    await page.request.post("/api/console/keys", { data: { name: "Deploys" }, headers })
  ).json();
  await page.request.post(`/api/console/keys/${made.key_id}/revoke`, { headers });
  await page.goto("/settings");
  await page.getByRole("link", { name: "Show activity" }).click();
  await expect(page.getByRole("heading", { name: "Activity" })).toBeVisible();
  const entries = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(entries).toHaveText([
    /^Key revoked · Deploys …/,
    /^Key created · Deploys …/,
    /^Signed in · /,
    /^Account created · /,
  ]);
  await expect(entries.first()).toContainText(`${credentials.email} from `);
  await entries.nth(1).locator("summary").click();
  await expect(entries.nth(1).getByText(made.key_id)).toBeVisible();
  expect(await page.content()).not.toContain(made.api_key);
  await expectAccessible(page, "/settings/activity", async () => {
    await entries.nth(1).locator("summary").click();
    await expect(entries.nth(1).getByText(made.key_id)).toBeVisible();
  });
  await page.getByLabel("Act", { exact: true }).selectOption("Key created");
  await expect(entries).toHaveText([/^Key created · Deploys …/]);
  await expect(page).toHaveURL(/action=key\.created/);
  await page.reload();
  await expect(entries).toHaveText([/^Key created · Deploys …/]);
  // Its frame stands there a moment before the page listens.
  await expect(async () => {
    await page.getByLabel("To", { exact: true }).fill("");
    await page.getByLabel("To", { exact: true }).fill("2020-01-31");
    await expect(page.getByText("Nothing fits these filters")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(entries).toHaveCount(4);
});

test("a sign-in that fails and a sign-out are in the owner's log", async ({ page, newAccount }) => {
  test.setTimeout(120_000);
  const person = await newAccount();
  await signInByForm(page, { email: person.email, password: "not the password" });
  // Of the page's alerts this one: another stands there from the start, and who goes on at once
  // takes the sign-in back.
  await expect(page.getByText("That did not match")).toBeVisible();
  await openConsole(page, person, "/keys");
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await openConsole(page, person, "/settings/activity");
  const acts = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(acts.filter({ hasText: "Sign-in failed" })).toHaveCount(1);
  await expect(acts.filter({ hasText: "Signed out" })).toHaveCount(1);
  await expect(acts.filter({ hasText: "Signed in" })).toHaveCount(2);
});

test("an admin reads the log of all and of one; owners see what an admin did, not who", async ({
  page,
  newAccount,
  browser,
  serviceUrl,
}) => {
  test.setTimeout(120_000);
  const [keeper, person] = [await newAccount(), await newAccount()];
  await admin(["account", "update", "--email", keeper.email, "--admin", "true"]);
  await openConsole(page, keeper, `/admin?q=${encodeURIComponent(person.email)}`);
  const access = page.getByRole("switch", { name: `Super-agent access for ${person.email}` });
  await access.click();
  await expect(access).toBeChecked();
  await page.getByRole("button", { name: `Actions for ${person.email}` }).click();
  await page.getByRole("menuitem", { name: "Audit log" }).click();
  const entries = page.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(entries.first()).toContainText(
    `Super-agent allowed · ${person.email}Admin ${keeper.email} from `,
  );
  await expectAccessible(page, "/admin/audit", () => expect(entries.first()).toBeVisible());
  await page.goto(`/admin/audit?account=${person.accountId}`);
  await expect(entries.first()).toContainText("Super-agent allowed");
  await page.getByRole("button", { name: /^Show all accounts/ }).click();
  await page.getByLabel("Act", { exact: true }).selectOption("Admin rights given");
  await expect(entries.filter({ hasText: keeper.email })).toHaveCount(1);
  const context = await browser.newContext({ baseURL: serviceUrl });
  const other = await context.newPage();
  await openConsole(other, person, "/settings/activity");
  const theirs = other.getByRole("region", { name: "Events" }).getByRole("listitem");
  await expect(theirs.filter({ hasText: "Super-agent allowed" })).toContainText(
    "An admin of the service",
  );
  expect(await other.content()).not.toContain(keeper.email);
  expect((await other.request.get("/api/console/admin/audit-events")).status()).toBe(404);
  await other.goto("/admin/audit");
  await expect(other.getByRole("heading", { name: "Audit log" })).toHaveCount(0);
  await context.close();
});
