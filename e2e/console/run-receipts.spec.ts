import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

test("a run's page says above the answer what it wrote outside, kept and read", async ({
  page,
  newAccount,
  newAgent,
  inbox,
  script,
}) => {
  const account = await newAccount();
  const http = [
    { name: "read_ticket", method: "GET", url: `${inbox.url}/${"very-long-".repeat(9)}path` },
    { name: "create_ticket", method: "POST", url: `${inbox.url}/tickets` },
  ];
  const agent = await newAgent({ config: { tools: { http } } }, account.api);
  const { mark } = await script(
    { tool_calls: [{ name: "read_ticket", args: {} }] },
    { tool_calls: [{ name: "create_ticket", args: {} }] },
    {
      tool_calls: [
        { name: "artifacts", args: { title: "Report", name: "report.md", content: "# R" } },
      ],
    },
    { text: "The ticket is made." },
  );
  const { run_id } = await startRun(account.api, {
    agent_id: agent.agent_id,
    input: { text: mark },
  });
  await waitForRun(account.api, run_id);
  await openConsole(page, account, `/runs/${run_id}`);
  const did = page.getByRole("region", { name: "What it did" });
  await expect(did).toContainText("It wrote outside once.");
  await expect(did.getByRole("region", { name: "Outside" })).toContainText("/tickets");
  await expect(did.getByRole("region", { name: "Kept here" })).toContainText("Report");
  await expect(did.getByRole("region", { name: "Read", exact: true })).toContainText("path");
  const order = await page.evaluate(() =>
    [...document.querySelectorAll("section[aria-label]")].map((one) => one.ariaLabel),
  );
  expect(order.indexOf("What it did")).toBeLessThan(order.indexOf("What happened"));
  await expectAccessible(page, `/runs/${run_id}`, () => expect(did).toContainText("Report"));
  for (const [width, colorScheme] of [
    [360, "dark"],
    [360, "light"],
    [1280, "light"],
    [1280, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await did.scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    if (process.env.E2E_PICTURES)
      await page.screenshot({
        path: `${process.env.E2E_PICTURES}/receipts-${width}-${colorScheme}.png`,
      });
  }
});

test("of a run that wrote nothing outside its page says so, of one at work nothing yet", async ({
  page,
  newAccount,
  script,
}) => {
  const account = await newAccount();
  const one = await script({ text: "Nothing to do.", hold_first: true });
  const { run_id } = await startRun(account.api, { input: { text: one.mark } });
  await one.waitForCalls(1);
  await openConsole(page, account, `/runs/${run_id}`);
  const did = page.getByRole("region", { name: "What it did" });
  await expect(page.getByRole("region", { name: "What happened" })).toBeVisible();
  await expect(did).toHaveCount(0);
  await one.release();
  await expect(did).toContainText("It wrote nothing outside.");
});
