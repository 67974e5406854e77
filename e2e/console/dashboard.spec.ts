import { createDashboardAgent } from "../support/agents";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";

test("an agent with a dashboard opens on it, and each widget shows the last run's answer", async ({
  page,
  newAccount,
  newAgent,
  modelUrl,
}) => {
  const account = await newAccount();
  const agent = await createDashboardAgent(account.api, modelUrl, newAgent);
  const foreign: string[] = [];
  page.on(
    "request",
    (request) => !request.url().startsWith(account.api.baseUrl) && foreign.push(request.url()),
  );
  await openConsole(page, account, `/agents/${agent.agent_id}`);
  const widget = (name: string) => page.getByRole("region", { name, exact: true });
  await expect(page.getByRole("tab", { name: "Dashboard" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(page.getByRole("heading", { name: "Weekly sales" })).toBeVisible();
  await expect(widget("Total")).toContainText("€2,431.50");
  await expect(widget("Growth")).toContainText("12.5%");
  await expect(widget("Took")).toContainText("1 h 02 min");
  await expect(
    page.getByRole("table", { name: "Trend" }).getByRole("cell", { name: "2,431.5" }),
  ).toBeAttached();
  await expect(page.getByRole("table", { name: "Regions" }).getByRole("row")).toHaveText([
    "regionorders",
    "North40",
    "South55",
  ]);
  await expect(widget("Notes").getByRole("listitem")).toHaveText([
    "Orders from the North doubled.",
    "Returns went down.",
  ]);
  await expect(widget("Words").getByText("well", { exact: true })).toBeVisible();
  await expect(widget("Words").getByText("Image: spy (not loaded)")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await widget("Files").getByRole("link", { name: "Download report.md" }).click();
  expect((await downloading).suggestedFilename()).toBe("report.md");
  await expect(widget("Newest").getByRole("link")).toHaveCount(1);
  await expect(widget("Gap")).toContainText("There is nothing at /data/unknown");
  await expect(widget("Odd")).toContainText("This is a list of 2, not one value.");
  expect(foreign.filter((url) => /^https?:/.test(url))).toEqual([]);
});

test("the dashboard's button runs the agent, whose answer takes the old figures' place", async ({
  page,
  newAccount,
  newAgent,
  modelUrl,
  script,
}) => {
  const account = await newAccount();
  const agent = await createDashboardAgent(account.api, modelUrl, newAgent);
  const next = await script({ text: JSON.stringify({ total: 9000 }) });
  const template = (await account.api.get(`/v1/agents/${agent.agent_id}`)).json() as {
    dashboard_template: { widgets: object };
  };
  const widgets = {
    ...template.dashboard_template.widgets,
    again: {
      type: "run_button",
      title: "Again",
      label: "Run for this week",
      input: { week: next.mark },
    },
  };
  await account.api.patch(`/v1/agents/${agent.agent_id}`, {
    dashboard_template: { ...template.dashboard_template, widgets },
  });
  await openConsole(page, account, `/agents/${agent.agent_id}`);
  await expect(page.getByRole("region", { name: "Total", exact: true })).toContainText("€2,431.50");
  await page.getByRole("button", { name: "Run for this week" }).click();
  await expect(page.getByRole("region", { name: "Again", exact: true })).toContainText("Completed");
  await expect(page.getByRole("region", { name: "Total", exact: true })).toContainText("€9,000.00");
});

test("a template written in the console has faults named by line, is saved, and removed", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Plain agent" }, account.api);
  await openConsole(page, account, `/agents/${agent.agent_id}`);
  await page.getByRole("tab", { name: "Dashboard" }).click();
  await page.getByRole("button", { name: "Write a template" }).click();
  const editor = page.getByRole("textbox", { name: "Template" });
  await editor.fill(
    '{\n  "version": 1,\n  "title": "Mine",\n  "layout": [{"i": "a", "x": 0, "y": 0, "w": 6, ' +
      '"h": 2}],\n  "widgets": {"a": {"type": "iframe"}}\n}',
  );
  await expect(page.getByRole("list", { name: "Problems of the template" })).toContainText("5:");
  await expect(page.getByRole("button", { name: "Save dashboard" })).toBeDisabled();
  await page.getByRole("tab", { name: "Skill" }).click();
  await page.getByRole("tab", { name: "Dashboard" }).click();
  await expect(editor).toHaveValue(/iframe/);
  await editor.fill(
    '{"version": 1, "title": "Mine", "layout": [{"i": "a", "x": 0, "y": 0, "w": 6, "h": 2}], ' +
      '"widgets": {"a": {"type": "markdown", "text": "Hello there"}}}',
  );
  await page.getByRole("button", { name: "Save dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Mine" })).toBeVisible();
  await expect(page.getByText("Hello there")).toBeVisible();
  await page.getByRole("button", { name: "Edit dashboard" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("button", { name: "Remove dashboard" }).click();
  await expect(page.getByRole("button", { name: "Ask for a dashboard" })).toBeVisible();
  const stored = (await account.api.get(`/v1/agents/${agent.agent_id}`)).json() as {
    dashboard_template: unknown;
  };
  expect(stored.dashboard_template).toBeNull();
});

test("the dashboard and its editor have no accessibility fault, in light and in dark", async ({
  page,
  newAccount,
  newAgent,
  modelUrl,
}) => {
  const account = await newAccount();
  const agent = await createDashboardAgent(account.api, modelUrl, newAgent);
  await openConsole(page, account, "/agents");
  const path = `/agents/${agent.agent_id}`;
  await expectAccessible(page, path, async () => {
    await expect(page.getByRole("table", { name: "Trend" })).toBeAttached();
  });
  await expectAccessible(page, path, async () => {
    await page.getByRole("button", { name: "Edit dashboard" }).click();
    await expect(page.getByRole("region", { name: "Preview" })).toBeVisible();
  });
});
