import { expect, test } from "../support/console-test";
import { signIn, signInByForm } from "../support/sign-in";

test("a person changes their name, and it is shown everywhere at once", async ({
  signedIn: { page },
}) => {
  await page.goto("/settings");
  // What is typed before the page answers is nobody's: its buttons wait for that moment too.
  await expect(page.getByRole("button", { name: "Change password" })).toBeEnabled();
  await page.getByLabel("Name", { exact: true }).fill("Robin of the lathe");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("button", { name: "Account menu" })).toContainText(
    "Robin of the lathe",
  );
  await page.reload();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Robin of the lathe");
  await expect(page.getByText("E-mail is not set up on this server")).toBeVisible();
});

test("signing out everywhere ends every browser's session; the password opens a fresh one", async ({
  signedIn: { page, credentials },
  serviceUrl,
}) => {
  const other = await page.context().browser()?.newContext({ baseURL: serviceUrl });
  const elsewhere = await other?.newPage();
  if (!other || !elsewhere) throw new Error("no second browser context");
  await signIn(elsewhere, credentials);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect((await elsewhere.request.get("/api/console/keys")).status()).toBe(401);
  await elsewhere.goto("/keys");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await other.close();
  await signInByForm(page, credentials);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
});
