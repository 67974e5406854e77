import { expect, test } from "../support/console-test";
import { signInByForm } from "../support/sign-in";

test("a stranger is sent to the sign-in page and comes back to where they wanted to go", async ({
  page,
  newAccount,
}) => {
  const { email, password } = await newAccount();
  await page.goto("/runs");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
});

test("a wrong password is refused with a sentence and opens nothing", async ({
  page,
  newAccount,
}) => {
  const { email } = await newAccount();
  await signInByForm(page, { email, password: "not the password" });
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await page.goto("/keys");
  await expect(page).toHaveURL(/\/sign-in/);
});
