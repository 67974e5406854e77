import { seedAccount } from "../support/account-fixtures";
import { expect, expectAccessible, expectNoFault, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("approvals, secrets, skills, webhooks, notifications and settings are accessible", async ({
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
  for (const path of paths)
    await expectAccessible(page, path, () =>
      expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
    );
  await page.getByRole("button", { name: /^Notifications/ }).click();
  await expect(
    page.getByRole("dialog", { name: "Notifications" }).getByText("Done."),
  ).toBeVisible();
  await expectNoFault(page, "bell");
  await expectAccessible(page, "/secrets?add=true", () =>
    expect(page.getByRole("dialog", { name: "Add secret" })).toBeVisible(),
  );
});
