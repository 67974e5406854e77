import { seedAccount } from "../support/account-fixtures";
import { expect, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("no page of keeping and operating is wider than 360 px, however long its texts", async ({
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
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBe(0);
  }
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const panel = await page.getByRole("dialog", { name: "Notifications" }).boundingBox();
  expect(panel?.x).toBeGreaterThanOrEqual(0);
  expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(360);
});
