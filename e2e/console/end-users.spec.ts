import { test as base, expect, expectNoFault, openConsole } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

const SERVER = process.env.E2E_OAUTH_MCP_URL ?? "";
const PERSON = "Ada Lovelace / ü";

// Authorization servers send people back to the address that the service has taken for itself,
// whose cookies are its own.
const test = base.extend({
  baseURL: ({ serviceUrl }, use) => use(serviceUrl.replace("127.0.0.1", "localhost")),
});

test("a person is found, limited, signs in by a link, and is erased by name", async ({
  page,
  browser,
  baseURL,
  newAccount,
  script,
}) => {
  const { api, ...credentials } = await newAccount({ credits: 10_000 });
  const { mark } = await script({ text: "Noted." });
  const run = await startRun(api, { input: { text: mark }, end_user: PERSON });
  await waitForRun(api, run.run_id);
  await startRun(api, { input: { text: mark }, end_user: "bob" });
  const hosts = { allowed_hosts: ["api.example.com"] };
  await api.post("/v1/secrets", { name: "CRM_KEY", end_user: PERSON, value: "of-ada", ...hosts });
  const made = (await api.post("/v1/connections", { server_url: SERVER, end_user: PERSON })).as(
    "ConnectionSignIn",
  );

  await openConsole(page, credentials, "/");
  await page.getByRole("link", { name: "End users" }).click();
  const list = page.getByLabel("End users", { exact: true }).last();
  await expect(list.getByText("bob")).toBeVisible();
  await page.getByRole("searchbox", { name: "Search end users by name" }).fill("Ada");
  await expect(list.getByText("bob")).toHaveCount(0);
  // The address takes the search a moment later, and a click before that is undone by it.
  await expect(page).toHaveURL(/q=Ada/);
  await list.getByRole("link", { name: PERSON }).click();
  await expect(page.getByRole("heading", { level: 1, name: PERSON })).toBeVisible();
  await expect(page.getByText("CRM_KEY")).toBeVisible();
  await expect(page.getByText("Not signed in")).toBeVisible();
  await expect(page.locator(`a[href="/runs/${run.run_id}"]`)).toBeVisible();
  await expectNoFault(page, "/end-users/person");

  // Somebody who has no account here, in a browser of their own.
  const theirs = await browser.newContext({ baseURL });
  const there = await theirs.newPage();
  await there.goto(made.authorization_url);
  await expect(there.getByRole("heading", { level: 1 })).toContainText(new URL(SERVER).host);
  await there.getByRole("button", { name: "Go on" }).click();
  await there.waitForURL(/\/connect\?sign_in=connected$/);
  await expect(there.getByText("You are connected")).toBeVisible();
  await there.goto("/");
  await there.goto(made.authorization_url);
  await expect(there.getByText("This link is good no more")).toBeVisible();
  await theirs.close();

  await page.reload();
  await expect(page.getByText("Connected", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Limit" }).click();
  const limit = page.getByRole("dialog", { name: "Limit a day" });
  await limit.getByLabel("Credits a day").fill("12.5");
  await limit.getByRole("button", { name: "Set limit" }).click();
  await expect(page.getByText("of 12.5 credits")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("end-user.ndjson");

  await page.getByRole("button", { name: "Erase" }).click();
  const erase = page.getByRole("dialog", { name: "Erase this end user?" });
  await erase.getByLabel("Their name").fill("Ada");
  await erase.getByRole("button", { name: "Erase for good" }).click();
  await expect(erase.getByText("This is not their name.")).toBeVisible();
  await erase.getByLabel("Their name").fill(PERSON);
  await erase.getByRole("button", { name: "Erase for good" }).click();
  await expect(page.getByText("This end user was erased")).toBeVisible({ timeout: 60_000 });
  expect((await api.get("/v1/secrets", { query: { end_user: PERSON } })).json()).toMatchObject({
    data: [],
  });
});
