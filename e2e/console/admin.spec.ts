import type { Page } from "@playwright/test";
import type { TestAccount } from "../support/accounts";
import { admin } from "../support/admin";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { UNKNOWN_ID } from "../support/unknown-ids";

const ACCOUNTS = "/api/console/admin/accounts";

async function makeAdmin(newAccount: () => Promise<TestAccount>): Promise<TestAccount> {
  const account = await newAccount();
  await admin(["account", "update", "--email", account.email, "--admin", "true"]);
  return account;
}

async function flagOf(page: Page, serviceUrl: string): Promise<boolean> {
  return (await (await page.request.get(`${serviceUrl}/api/console/v1/account`)).json())
    .super_agent_access;
}

test("an admin finds an account by address, opens the super-agent to it, and back", async ({
  page,
  newAccount,
  browser,
  serviceUrl,
}) => {
  const [keeper, person] = [await makeAdmin(newAccount), await newAccount()];
  const context = await browser.newContext({ baseURL: serviceUrl });
  const other = await context.newPage();
  await openConsole(other, person, "/super-agent");
  await expect(
    other.getByRole("heading", { name: "Your account is not on the super-agent's allowlist" }),
  ).toBeVisible();
  await expect(
    other.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Super-agent" }),
  ).toHaveCount(0);
  await openConsole(page, keeper, "/admin");
  // What is typed before the page answers is nobody's.
  await expect(async () => {
    await page.getByRole("searchbox", { name: "Search accounts by e-mail" }).fill("");
    await page
      .getByRole("searchbox", { name: "Search accounts by e-mail" })
      .fill(person.email.toUpperCase());
    await expect(page.getByRole("region", { name: "Accounts" }).getByRole("listitem")).toHaveCount(
      1,
      { timeout: 10_000 },
    );
  }).toPass();
  const access = page.getByRole("switch", { name: `Super-agent access for ${person.email}` });
  await access.click();
  await expect(access).toBeChecked();
  await expect.poll(() => flagOf(other, serviceUrl)).toBe(true);
  await other.reload();
  await expect(
    other.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Super-agent" }),
  ).toBeVisible();
  await expect(other.getByLabel("Message", { exact: true })).toBeVisible();
  await expect(access).toBeEnabled();
  await access.click();
  await expect(access).not.toBeChecked();
  await expect.poll(() => flagOf(other, serviceUrl)).toBe(false);
  await context.close();
});

test("an admin gives credits and blocks an account, whose session ends at once", async ({
  page,
  newAccount,
  browser,
  serviceUrl,
}) => {
  const [keeper, person] = [await makeAdmin(newAccount), await newAccount({ credits: 10 })];
  const context = await browser.newContext({ baseURL: serviceUrl });
  const other = await context.newPage();
  await openConsole(other, person, "/keys");
  await openConsole(page, keeper, `/admin?q=${encodeURIComponent(person.email)}`);
  const actions = page.getByRole("button", { name: `Actions for ${person.email}` });
  await actions.click();
  await page.getByRole("menuitem", { name: "Add credits" }).click();
  await page.getByLabel("Credits", { exact: true }).fill("-5");
  await page.getByRole("button", { name: "Add credits" }).click();
  await expect(page.getByText("A number of credits, such as 500")).toBeVisible();
  await page.getByLabel("Credits", { exact: true }).fill("2.5");
  await page.getByRole("button", { name: "Add credits" }).click();
  // The dialog hides what lies under it until it has closed.
  await expect(
    page.getByRole("region", { name: "Accounts" }).getByText("12.5 credits"),
  ).toBeVisible();
  await actions.click();
  await page.getByRole("menuitem", { name: "Block" }).click();
  await page.getByRole("button", { name: "Block account" }).click();
  await expect(
    page.getByRole("region", { name: "Accounts" }).getByText("Blocked", { exact: true }),
  ).toBeVisible();
  expect((await other.request.get("/api/console/keys")).status()).toBe(401);
  await context.close();
});

test("for everybody but admins the page and its operations are not there, whatever sent", async ({
  signedIn: { page },
  account,
  serviceUrl,
}) => {
  const headers = { origin: serviceUrl };
  for (const path of [ACCOUNTS, `${ACCOUNTS}?limit=0`])
    expect((await page.request.get(path)).status(), path).toBe(404);
  const unknown = await (await page.request.get("/api/console/nothing")).json();
  for (const id of [account.accountId, UNKNOWN_ID, "no-uuid"]) {
    const answer = await page.request.patch(`${ACCOUNTS}/${id}`, {
      headers,
      data: { super_agent_access: true },
    });
    expect(answer.status(), id).toBe(404);
    expect(await answer.json()).toEqual(unknown);
    expect(unknown).toMatchObject({ error: "NOT_FOUND" });
  }
  expect((await account.api.get("/v1/account")).json()).toMatchObject({
    super_agent_access: false,
  });
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Accounts" }),
  ).toHaveCount(0);
});

test("an admin's change needs the console's origin, a body with a field, and an account", async ({
  page,
  newAccount,
  account,
  serviceUrl,
}) => {
  const keeper = await makeAdmin(newAccount);
  await openConsole(page, keeper, "/admin");
  const change = (id: string, data: object, origin = serviceUrl) =>
    page.request
      .patch(`${ACCOUNTS}/${id}`, { headers: { origin }, data })
      .then((answer) => answer.status());
  expect(await change(account.accountId, { super_agent_access: true }, "https://evil.test")).toBe(
    401,
  );
  expect(await change(account.accountId, {})).toBe(400);
  expect(await change(account.accountId, { admin: true })).toBe(400);
  expect(await change(account.accountId, { add_credits: -1 })).toBe(400);
  expect(await change(UNKNOWN_ID, { blocked: true })).toBe(404);
  expect(await change(keeper.accountId, { blocked: true })).toBe(409);
  expect((await account.api.get("/v1/account")).json()).toMatchObject({
    super_agent_access: false,
    blocked: false,
  });
  await admin(["account", "update", "--email", keeper.email, "--admin", "false"]);
  expect((await page.request.get(ACCOUNTS)).status()).toBe(401);
});

test("the accounts page has no fault of accessibility in light and dark", async ({
  page,
  newAccount,
}) => {
  const keeper = await makeAdmin(newAccount);
  await openConsole(page, keeper, "/admin");
  await expectAccessible(page, `/admin?q=${encodeURIComponent(keeper.email)}`, () =>
    expect(page.getByRole("switch")).toBeVisible(),
  );
});
