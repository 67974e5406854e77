import { expect, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

test("a run's page shows what it did by part, and what went in and out of the chosen one", async ({
  page,
  newAccount,
  script,
}) => {
  const own = await newAccount();
  const items = [{ text: "Look it up", done: false }];
  const one = await script(
    { tool_calls: [{ name: "todo", args: { items }, fill: true }] },
    { text: "Forty-two." },
  );
  const { run_id } = await startRun(own.api, { input: { question: one.mark } });
  await waitForRun(own.api, run_id);
  await openConsole(page, own, `/runs/${run_id}`);
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  const parts = page.getByRole("list", { name: "Parts of the run" });
  await expect(parts.getByRole("button", { name: /^Turn/ })).toHaveCount(2);
  await parts.getByRole("button", { name: /^Tool call: todo, succeeded/ }).click();
  const chosen = page.getByRole("region", { name: "Tool call: todo" });
  await expect(chosen).toContainText("Look it up");
  await parts
    .getByRole("button", { name: /^Model call/ })
    .last()
    .click();
  await expect(page.getByRole("region", { name: /^Model call/ })).toContainText("Forty-two.");
  await expect(page.getByRole("region", { name: /^Model call/ })).toContainText("Output tokens");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    if (process.env.SHOT)
      await page.screenshot({ path: `${process.env.SHOT}-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  if (process.env.SHOT)
    await page.screenshot({ path: `${process.env.SHOT}-360.png`, fullPage: true });
});

test("of a run that failed the trace shows first what went wrong, and in words", async ({
  page,
  newAccount,
  script,
}) => {
  const own = await newAccount();
  const one = await script({ status: 400, error_message: "The prompt is not allowed." });
  const { run_id } = await startRun(own.api, { input: { question: one.mark } });
  await waitForRun(own.api, run_id);
  await openConsole(page, own, `/runs/${run_id}`);
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  const first = page.getByRole("region", { name: /^(Model call|Failed attempt)/ });
  await expect(first.getByText("EXECUTION_FAILED")).toBeVisible();
  await expect(first).toContainText("not allowed");
});

test("a run at work shows its trace grow by its events: a model's call opens, and closes", async ({
  page,
  newAccount,
  script,
}) => {
  const own = await newAccount();
  const one = await script(
    { text: "First.", hold_first: true, tool_calls: [{ name: "todo", fill: true }] },
    { text: "Second.", hold_first: true },
  );
  const { run_id } = await startRun(own.api, { input: { question: one.mark } });
  await one.waitForCalls(1);
  await openConsole(page, own, `/runs/${run_id}`);
  await page.getByRole("button", { name: "Trace", exact: true }).click();
  const parts = page.getByRole("list", { name: "Parts of the run" });
  await expect(parts.getByRole("button", { name: /^Turn: Turn 1, running/ })).toBeVisible();
  await expect(parts.getByRole("button", { name: /^Model call: .*, running/ })).toHaveCount(1);
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/trace")) asked++;
  });
  await one.release();
  await expect(parts.getByRole("button", { name: /^Tool call: todo, succeeded/ })).toBeVisible();
  await expect(parts.getByRole("button", { name: /^Turn: Turn 2, succeeded/ })).toBeVisible();
  await expect(parts.getByRole("button", { name: /running/ })).toHaveCount(0);
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(8);
});
