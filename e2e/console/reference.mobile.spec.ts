import { expect, test } from "../support/console-test";

test("no page of the reference is wider than a phone of 360 px, all of it opened", async ({
  signedIn: { page },
}) => {
  for (const place of [
    "",
    "/guide",
    "/createRun",
    "/updateAgent",
    "/getFileContent",
    "/listRunEvents",
    "/importAgent",
    "/installSkill",
  ]) {
    await page.goto(`/reference${place}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, place).toBe(0);
  }
});
