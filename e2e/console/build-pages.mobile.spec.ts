import { expect, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("no page of building and running is wider than 360 px, and navigation is a sheet", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent(
    { name: "An agent with a name that is quite long for a phone" },
    account.api,
  );
  await signIn(page, account);
  for (const path of [
    "/",
    "/agents",
    "/agents/new",
    `/agents/${agent.agent_id}`,
    "/runs",
    "/keys",
    "/workspaces",
    "/models",
    "/usage",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBe(0);
  }
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Agents" }).click();
  await expect(page).toHaveURL(/\/agents$/);
});
