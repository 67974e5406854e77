import { expect, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

test("at 1280 pixels the overview names each run whole, and counts the runs beside", async ({
  page,
  newAccount,
  script,
}) => {
  const account = await newAccount();
  const { api } = account;
  const draft = {
    name: "Table reader of the north",
    description: "Reads tables.",
    skill_content: "Read.",
    config: { version: 1 },
    write_autonomy: "blocked",
  };
  const one = await script({
    tool_calls: [
      { name: "create_agent", args: draft },
      { name: "finish", args: { outcome: "built", text: "Done." } },
    ],
  });
  await waitForRun(api, (await api.post("/v1/agents", { input: one.mark })).as("Run").run_id);
  const general = await script({ text: "Hello." });
  await waitForRun(api, (await startRun(api, { input: { text: general.mark } })).run_id);
  // One whose model never answers is a run as well, though it used nothing.
  const broken = await script({ status: 400, error_message: "not today" });
  const failed = await waitForRun(
    api,
    (await startRun(api, { input: { text: broken.mark } })).run_id,
  );
  expect(failed.status).toBe("failed");
  await page.setViewportSize({ width: 1280, height: 800 });
  await openConsole(page, account, "/");
  const runs = page.getByRole("region", { name: "Recent runs" });
  const title = runs.getByText("Create Table reader of the north", { exact: true });
  await expect(title).toBeVisible();
  const cutOff = await title.evaluate((element) => element.scrollWidth > element.clientWidth);
  expect(cutOff).toBe(false);
  const figure = page
    .getByRole("term")
    .filter({ hasText: /^Runs$/ })
    .locator("..");
  await expect(figure).toContainText("3");
  await expect(figure).toContainText("in 24 hours");
  const shot = process.env.SHOT;
  if (!shot) return;
  for (const width of [1280, 360, 1600])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 1000 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${shot}-overview-${width}-${colorScheme}.png` });
    }
});
