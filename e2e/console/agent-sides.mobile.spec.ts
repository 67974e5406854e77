import { createDashboardAgent } from "../support/agents";
import { expect, openConsole, test } from "../support/console-test";

test("dashboard, schedules, API side, run and conversations are no wider than 360 px", async ({
  page,
  newAccount,
  newAgent,
  modelUrl,
}) => {
  const account = await newAccount();
  const agent = await createDashboardAgent(account.api, modelUrl, newAgent);
  await account.api.post(`/v1/agents/${agent.agent_id}/schedules`, {
    cron: "5,10,15,20,25 3 1 1 *",
    timezone: "America/Argentina/Buenos_Aires",
  });
  const run = (await account.api.get("/v1/runs", { query: { agent_id: agent.agent_id } }))
    .as("RunPage")
    .data.at(0);
  await openConsole(page, account, "/conversations");
  const agentPath = `/agents/${agent.agent_id}`;
  const pages = [
    agentPath,
    `${agentPath}?tab=schedules`,
    `${agentPath}?tab=api`,
    `/runs/${run?.run_id}`,
    `/conversations/${run?.conversation_id}`,
  ];
  for (const path of ["/conversations", ...pages]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(
      await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
      path,
    ).toBe(0);
  }
  await page.goto(agentPath);
  const widgets = page.getByRole("region", { name: /^(Total|Growth|Took|Again)$/ });
  // They come with the data.
  await expect(widgets).toHaveCount(4);
  const tops = await widgets.evaluateAll((boxes) =>
    boxes.map((box) => box.getBoundingClientRect().top),
  );
  expect(tops).toHaveLength(4);
  expect([...tops].sort((left, right) => left - right)).toEqual(tops);
});

test("on a phone the open tab is in sight, and a run's state above the fold", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Many sides" }, account.api);
  await openConsole(page, account, `/agents/${agent.agent_id}?tab=memory`);
  await expect(page.getByRole("tab", { name: "Memory" })).toBeInViewport({ ratio: 0.97 });
  await expect(page.getByRole("tab", { name: "Dashboard" })).not.toBeInViewport();
  await page.goto(`/agents/${agent.agent_id}?tab=run`);
  await expect(page.getByRole("tab", { name: "Run", exact: true })).toBeInViewport({ ratio: 0.97 });
  await expect(page.getByRole("tab", { name: "Dashboard" })).toBeInViewport();
  const run = (await account.api.get("/v1/runs")).as("RunPage").data.at(0);
  await page.goto(`/runs/${run?.run_id}`);
  await expect(page.getByText("Completed", { exact: true })).toBeInViewport();
});
