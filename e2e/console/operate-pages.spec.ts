import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { seedAccount } from "../support/account-fixtures";
import { expect, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("approvals, secrets, skills, webhooks, notifications and settings have no accessibility fault, in light and in dark", async ({
  page,
  newAccount,
  modelUrl,
  inbox,
  script,
}) => {
  const own = await newAccount();
  const one = await script({ text: "Done." });
  const paths = await seedAccount(own.api, modelUrl, inbox, one.mark);
  await signIn(page, own);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await faultsOf(page), `${path} ${colorScheme}`).toEqual([]);
    }
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await expect(page.getByRole("dialog", { name: "Notifications" }).getByText("Done.")).toBeVisible();
    expect(await faultsOf(page), `bell ${colorScheme}`).toEqual([]);
    await page.goto("/secrets?add=true");
    await expect(page.getByRole("dialog", { name: "Add secret" })).toBeVisible();
    expect(await faultsOf(page), `add secret ${colorScheme}`).toEqual([]);
  }
});

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa"]).analyze();
  return violations.map((violation) => `${violation.id} ${violation.nodes[0]?.html}`);
}
