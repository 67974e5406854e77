import type { Page } from "@playwright/test";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";
import { until } from "../support/until";

/** The page fits a phone, and can be looked at with SHOT=path. */
async function look(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      if (process.env.SHOT)
        await page.screenshot({
          path: `${process.env.SHOT}-${name}-${width}-${colorScheme}.png`,
          fullPage: true,
        });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: null });
}

test("a run is started again on a chosen version, and its page shows both side by side", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const own = await newAccount();
  const agent = await newAgent({ skill: "Say it in French." }, own.api);
  const one = await script({ text: "The **first** answer." }, { text: "The second answer." });
  const { run_id } = await startRun(own.api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await waitForRun(own.api, run_id);
  await openConsole(page, own, `/runs/${run_id}`);
  await page.getByRole("button", { name: "Run again…" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again" });
  await dialog.getByLabel("Version of the agent").selectOption("1");
  await look(page, "replay-dialog");
  await dialog.getByRole("button", { name: "Run again" }).click();
  await expect(page).not.toHaveURL(new RegExp(run_id));
  const comparison = page.getByRole("region", { name: "Comparison" });
  await expect(comparison).toContainText("The first answer.");
  await expect(comparison).toContainText("The second answer.");
  await expect(comparison.getByText("Version")).toHaveCount(2);
  await expectAccessible(page, page.url(), () =>
    expect(comparison).toContainText("The second answer."),
  );
  await look(page, "replay");
  await comparison.getByRole("link", { name: "First run" }).click();
  await expect(page).toHaveURL(new RegExp(run_id));
});

test("a run is copied as curl: the request that starts it, a variable in the key's place", async ({
  page,
  context,
  newAccount,
  script,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const own = await newAccount();
  const one = await script({ text: "Done." });
  const { run_id } = await startRun(own.api, { input: { question: `It's ${one.mark}` } });
  await waitForRun(own.api, run_id);
  await openConsole(page, own, `/runs/${run_id}`);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect(page.getByRole("button", { name: "Copy as curl" })).toContainText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("/v1/runs'");
  expect(copied).toContain('"Authorization: Bearer $LATHE_API_KEY"');
  expect(copied).toContain(one.mark);
});

test("a client tool's waiting call is shown with its arguments, and answered there", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const own = await newAccount();
  const input_schema = { type: "object", properties: { order: { type: "string" } } };
  const client = [{ name: "find_order", description: "Finds an order.", input_schema }];
  const agent = await newAgent({ config: { tools: { client } } }, own.api);
  const one = await script(
    { tool_calls: [{ name: "find_order", args: { order: "4711" } }] },
    { text: "It has been shipped." },
  );
  const { run_id } = await startRun(own.api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await until(
    "the run to wait",
    async () => (await own.api.get(`/v1/runs/${run_id}`)).as("Run").requires_action,
  );
  await openConsole(page, own, `/runs/${run_id}`);
  const form = page.getByRole("form", { name: "Result of find_order" });
  await expect(form).toContainText("4711");
  await form.getByRole("button", { name: "Post the result" }).click();
  await expect(form).toContainText("Write what the tool answers");
  await form.getByLabel("Result", { exact: true }).fill('{"status": "shipped"}');
  await look(page, "client-call");
  await form.getByRole("button", { name: "Post the result" }).click();
  await expect(page.getByText("It has been shipped.")).toBeVisible();
  await expect(form).toHaveCount(0);
  expect(JSON.stringify((await one.calls()).at(-1)?.body.messages)).toContain("shipped");
});
