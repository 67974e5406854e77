import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";

test("a run's page lists the runs that it started, and theirs lead back to it", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const account = await newAccount();
  const { api } = account;
  const said = await script({ text: "Open from 9 to 18." });
  const below = await newAgent(
    { name: "Researcher", skill: `# Researcher\n\nAnswer. ${said.mark}` },
    api,
  );
  const host = await newAgent(
    {
      name: "Tour host",
      config: { tools: { agents: [{ agent_id: below.agent_id, name: "research" }] } },
    },
    api,
  );
  const { mark } = await script(
    { tool_calls: [{ name: "research", args: { request: "When is it open?" } }] },
    { text: "We meet at nine." },
  );
  const { run_id: runId } = await startRun(api, { agent_id: host.agent_id, input: { text: mark } });
  expect(await waitForRun(api, runId)).toMatchObject({ status: "completed" });
  const { data } = (await api.get(`/v1/runs?parent_run_id=${runId}`)).as("RunPage");
  expect(data).toMatchObject([{ agent_id: below.agent_id, parent_run_id: runId }]);
  await openConsole(page, account, `/runs/${runId}`);
  const started = page.getByRole("region", { name: "Runs that it started" });
  await expect(started.getByRole("link")).toHaveCount(1);
  await expect(started).toContainText("Completed");
  await expectAccessible(page, `/runs/${runId}`, () => expect(started).toContainText("Researcher"));
  await page.setViewportSize({ width: 360, height: 780 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await started.getByRole("link", { name: /Researcher/ }).click();
  await page.waitForURL(`**/runs/${data[0]?.run_id}`);
  const facts = page.getByRole("region", { name: "Facts" });
  await expect(facts).toContainText("Started by");
  await facts.getByRole("link", { name: "Tour host" }).click();
  await page.waitForURL(`**/runs/${runId}`);
});

test("an agent's cases say in words what they check, and one is added, shown and deleted", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({}, account.api);
  const path = `/agents/${agent.agent_id}?tab=cases`;
  await openConsole(page, account, path);
  await page.getByRole("button", { name: "Add a case" }).first().click();
  const dialog = page.getByRole("dialog");
  const text = dialog.getByLabel("Case as JSON");
  await text.fill("{");
  await dialog.getByRole("button", { name: "Add case" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await text.fill(
    JSON.stringify({
      name: "Order sent",
      input: { request: "Where is it?" },
      answers: { get_order: { state: "sent" } },
      checks: [
        { type: "contains", value: "sent" },
        { type: "tool_called", tool: "get_order" },
      ],
    }),
  );
  await dialog.getByRole("button", { name: "Add case" }).click();
  const cases = page.getByRole("region", { name: "Cases" });
  await expect(cases).toContainText("The answer contains “sent”, and calls get_order.");
  await cases.getByText("Order sent").click();
  await expect(cases).toContainText('"state": "sent"');
  await expectAccessible(page, path, () => expect(cases).toContainText("Order sent"));
  await cases.getByRole("button", { name: "Delete case Order sent" }).click();
  await page.getByRole("button", { name: "Delete case", exact: true }).click();
  await expect(cases).toContainText("No cases yet");
});
