import { expect, expectAccessible, openConsole, test } from "../support/console-test";

const INPUTS = {
  type: "object",
  properties: { week: { type: "string", title: "Week" } },
  required: ["week"],
};

test("a schedule is created with words and a preview, paused, changed and deleted", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ config: { inputs: INPUTS } }, account.api);
  const schedules = async () =>
    ((await account.api.get(`/v1/agents/${agent.agent_id}/schedules`)).json() as { data: object[] })
      .data;
  await openConsole(page, account, `/agents/${agent.agent_id}?tab=schedules`);
  await page.getByRole("button", { name: "Create schedule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Cron expression").fill("61 * * * *");
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(dialog.getByLabel("Cron expression")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Cron expression").fill("30 7 * * mon");
  await expect(dialog.getByText("At 07:30, only on Monday")).toBeVisible();
  await dialog.getByLabel("Time zone").selectOption("America/New_York");
  await expect(dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(
    3,
  );
  await expect(
    dialog.getByRole("list", { name: "Next runs" }).getByRole("listitem").first(),
  ).toContainText(/Mon.*07:30/);
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(dialog.getByText("Required.")).toBeVisible();
  await dialog.getByLabel("Week").fill("this one");
  await dialog.getByLabel("End user").fill("u_42");
  await dialog.getByRole("button", { name: "Create schedule" }).click();
  await expect(
    page.getByRole("switch", { name: "At 07:30, only on Monday, enabled" }),
  ).toBeChecked();
  expect(await schedules()).toMatchObject([
    {
      cron: "30 7 * * mon",
      timezone: "America/New_York",
      input: { week: "this one" },
      end_user: "u_42",
      enabled: true,
    },
  ]);
  await expect(page.getByText("for u_42")).toBeVisible();
  await page.getByRole("switch", { name: "At 07:30, only on Monday, enabled" }).click();
  await expect(page.getByText("Paused").filter({ visible: true })).toBeVisible();
  expect(await schedules()).toMatchObject([{ enabled: false, next_run_at: null }]);
  await page.getByRole("button", { name: "Actions for “At 07:30, only on Monday”" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await expect(dialog.getByLabel("Week")).toHaveValue("this one");
  await expect(dialog.getByLabel("End user")).toHaveValue("u_42");
  await dialog.getByLabel("Repeats").selectOption({ label: "At 09:00, every day" });
  await dialog.getByRole("button", { name: "Save schedule" }).click();
  await expect(
    page.getByRole("switch", { name: "At 09:00, every day, enabled" }),
  ).not.toBeChecked();
  await page.getByRole("button", { name: "Actions for “At 09:00, every day”" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete schedule" }).click();
  await expect(page.getByText("Run it by the clock")).toBeVisible();
  expect(await schedules()).toEqual([]);
});

test("the schedules have no accessibility fault, in light and in dark", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({}, account.api);
  await account.api.post(`/v1/agents/${agent.agent_id}/schedules`, {
    cron: "0 9 * * *",
    timezone: "UTC",
  });
  await openConsole(page, account, "/agents");
  const path = `/agents/${agent.agent_id}?tab=schedules`;
  await expectAccessible(page, path, () => expect(page.getByRole("switch")).toBeVisible());
  await expectAccessible(page, path, async () => {
    await page.getByRole("button", { name: "Create schedule" }).click();
    await expect(page.getByRole("list", { name: "Next runs" })).toBeVisible();
  });
});
