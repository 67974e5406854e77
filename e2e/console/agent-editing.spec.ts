import type { Page } from "@playwright/test";
import type { Agent } from "../support/api-document";
import { expect, expectNoFault, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

const SKILL = "# Clerk\n\nRead the letter.\n\n1. Sort it.\n2. File it.\n\n## Tone\n\nFriendly.";

/** Opens a tab of the agent in the page of a person who owns it. */
async function open(
  page: Page,
  account: { email: string; password: string },
  agent: Agent,
  tab: string,
): Promise<void> {
  await signIn(page, account);
  await page.goto(`/agents/${agent.agent_id}?tab=${tab}`);
}

/**
 * The text of an editor, all of it: the texts of these tests are short enough to be drawn whole.
 */
async function replaceText(page: Page, label: string, text: string): Promise<void> {
  const editor = page.getByRole("textbox", { name: label });
  await editor.click();
  await page.keyboard.press("ControlOrMeta+a");
  // As a paste: typed letter by letter, the editor would indent and close brackets by itself.
  await page.keyboard.insertText(text);
}

test("a config's error is marked at its line; corrected, stored, compared, restored", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ config: { limits: { max_steps: 3 } } });
  await open(page, account, agent, "config");
  const text = `# kept\n${agent.config_content.replace("max_steps: 3", "max_steps: 0")}`;
  await replaceText(page, "Config YAML", text);
  const line = text.slice(0, text.indexOf("max_steps")).split("\n").length;
  const problem = page
    .getByRole("status", { name: "Problems" })
    .getByRole("button", { name: new RegExp(`Line ${line}, .*limits.max_steps`) });
  await expect(problem).toBeVisible();
  await page.getByRole("button", { name: "Save config" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("This was not saved");
  expect((await api.get(`/v1/agents/${agent.agent_id}`)).as("Agent").current_version_id).toBe(
    agent.current_version_id,
  );

  await replaceText(page, "Config YAML", text.replace("max_steps: 0", "max_steps: 7"));
  await expect(problem).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: "Summary of the config" })).toContainText(
    "7 steps",
  );
  await page.getByLabel("Release note").fill("More steps.");
  await page.keyboard.press("ControlOrMeta+s");
  await expect(page.getByText("Config saved.")).toBeVisible();
  const stored = (await api.get(`/v1/agents/${agent.agent_id}`)).as("Agent");
  expect(stored.config).toMatchObject({ limits: { max_steps: 7 } });
  expect(stored.config_content).toContain("# kept");

  await page.getByRole("tab", { name: "Versions" }).click();
  await expect(
    page.getByRole("button", { name: /Version 2.*Current.*More steps\./ }),
  ).toBeVisible();
  const changes = page.getByRole("region", { name: "Config changed" });
  await expect(changes.getByText("max_steps: 3").first()).toBeVisible();
  await expect(changes.getByText("max_steps: 7").first()).toBeVisible();
  await page.getByRole("button", { name: /Version 1/ }).click();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByRole("button", { name: "Restore version" }).click();
  await expect(page.getByRole("button", { name: /Version 3.*Current/ })).toBeVisible();
  expect((await api.get(`/v1/agents/${agent.agent_id}`)).as("Agent").config).toMatchObject({
    limits: { max_steps: 3 },
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: /Version 4.*Current/ })).toBeVisible();
  expect((await api.get(`/v1/agents/${agent.agent_id}`)).as("Agent").config_content).toBe(
    stored.config_content,
  );
});

test("a change by API while the skill is edited is a conflict, where both can be kept", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: SKILL });
  const path = `/v1/agents/${agent.agent_id}`;
  await open(page, account, agent, "skill");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await replaceText(page, "Skill Markdown", SKILL.replace("Sort it.", "Sort it by date."));
  await page.getByLabel("Release note").fill("By date.");
  await api.patch(path, {
    skill_content: SKILL.replace("Friendly.", "Formal."),
    name: "Renamed meanwhile",
  });
  await page.getByRole("button", { name: "Save skill" }).click();
  await expect(page.getByText("Nothing was overwritten.")).toBeVisible();
  expect((await api.get(path)).as("Agent").skill_content).toContain("Formal.");
  await page.getByRole("button", { name: "Their change" }).click();
  await expect(page.getByRole("textbox", { name: "Their change" })).toContainText("Formal.");
  await page.getByRole("button", { name: "Save both in one" }).click();
  await expect(page.getByText("Skill saved.")).toBeVisible();
  const merged = SKILL.replace("Sort it.", "Sort it by date.").replace("Friendly.", "Formal.");
  expect((await api.get(path)).as("Agent")).toMatchObject({
    skill_content: merged,
    name: "Renamed meanwhile",
  });
  expect((await api.get(`${path}/versions`)).json()).toMatchObject({
    data: [{ number: 3, release_note: "By date." }, {}, {}],
  });
});

test("in a conflict theirs can be taken, and the own brought back; or the own kept", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: SKILL });
  const path = `/v1/agents/${agent.agent_id}`;
  await open(page, account, agent, "skill");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await replaceText(page, "Skill Markdown", "My own words.");
  await api.patch(path, { skill_content: "Their words." });
  await page.getByRole("button", { name: "Save skill" }).click();
  await page.getByRole("button", { name: "Take theirs", exact: true }).click();
  const editor = page.getByRole("textbox", { name: "Skill Markdown" });
  await expect(editor).toHaveText("Their words.");
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(editor).toHaveText("My own words.");
  await api.patch(path, { skill_content: "Their second words." });
  await page.getByRole("button", { name: "Save skill" }).click();
  await page.getByRole("button", { name: "Keep mine", exact: true }).click();
  await expect(page.getByText("Skill saved.")).toBeVisible();
  expect((await api.get(path)).as("Agent").skill_content).toBe("My own words.");
});

test("a change that slips in between the look and the write is caught, not overwritten", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: SKILL });
  const path = `/v1/agents/${agent.agent_id}`;
  await open(page, account, agent, "skill");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await replaceText(page, "Skill Markdown", "Mine.");
  let late = true;
  await page.route(`**/api/console${path}`, async (route) => {
    if (route.request().method() === "PATCH" && late) {
      late = false;
      await api.patch(path, { skill_content: "Theirs, at the last moment." });
    }
    await route.continue();
  });
  await page.getByRole("button", { name: "Save skill" }).click();
  await expect(page.getByText("Nothing was overwritten.")).toBeVisible();
  expect((await api.get(path)).as("Agent").skill_content).toBe("Theirs, at the last moment.");
});

test("unsaved text outlives another tab and another page, leaving by a link asks first", async ({
  page,
  account,
  newAgent,
}) => {
  const agent = await newAgent({ skill: SKILL });
  await open(page, account, agent, "skill");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await replaceText(page, "Skill Markdown", "Half a thought");
  await page.getByRole("tab", { name: "Config" }).click();
  await expect(page.getByRole("textbox", { name: "Config YAML" })).toBeVisible();
  await page.getByRole("tab", { name: "Skill (unsaved changes)" }).click();
  const editor = page.getByRole("textbox", { name: "Skill Markdown" });
  await expect(editor).toHaveText("Half a thought");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  await expect(editor).toHaveText("Half a thought");
  await page.getByRole("link", { name: "Runs", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(editor).toHaveText("Half a thought");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(editor).toContainText("Read the letter.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(editor).toHaveText("Half a thought");
});

test("a skill is measured in UTF-8: 256 KB are stored, a byte more cannot be sent", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent();
  const path = `/v1/agents/${agent.agent_id}`;
  const nearly = `${`${"ü".repeat(63)}x\n`.repeat(2047)}${"ü".repeat(63)}.`;
  expect(Buffer.byteLength(nearly)).toBe(262_143);
  await api.patch(path, { skill_content: nearly });
  await open(page, account, agent, "skill");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Skill Markdown" }).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("ü");
  await expect(page.getByText("Too long by 1 bytes.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save skill" })).toBeDisabled();
  await page.keyboard.press("Backspace");
  await page.keyboard.type("!");
  await page.getByRole("button", { name: "Save skill" }).click();
  await expect(page.getByText("Skill saved.")).toBeVisible();
  expect((await api.get(path)).as("Agent").skill_content).toBe(`${nearly}!`);
});

test("a skill that is built to be slow to read is shown and edited all the same", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent();
  await open(page, account, agent, "run");
  for (const skill_content of [
    "*a_".repeat(60_000),
    ">".repeat(100_000),
    `---\n${"a: [\n".repeat(10_000)}---\n`,
  ]) {
    await api.patch(`/v1/agents/${agent.agent_id}`, { skill_content });
    await page.goto(`/agents/${agent.agent_id}?tab=skill`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Skill Markdown" }).press("ControlOrMeta+Home");
    await page.keyboard.type("Tame: ");
    await expect(page.getByRole("button", { name: "Save skill" })).toBeEnabled();
    await page.getByRole("button", { name: "Discard" }).click();
  }
});

test("name, description, version and autonomy are edited; a change is shown first", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ name: "Clerk" });
  const path = `/v1/agents/${agent.agent_id}`;
  await open(page, account, agent, "run");
  await page.getByRole("button", { name: "Edit details" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Head clerk");
  await dialog.getByLabel("Description").fill("Runs the office.");
  await dialog.getByLabel("Version").fill("2.0.0");
  await dialog.getByRole("radio", { name: /Asks first/ }).check();
  await api.patch(path, { name: "Registrar" });
  await dialog.getByRole("button", { name: "Save details" }).click();
  await expect(dialog.getByRole("alert")).toContainText("The name is now “Registrar”.");
  await expect(dialog.getByLabel("Name")).toHaveValue("Head clerk");
  await dialog.getByRole("button", { name: "Save mine" }).click();
  await expect(page.getByRole("heading", { name: "Head clerk", level: 1 })).toBeVisible();
  expect((await api.get(path)).as("Agent")).toMatchObject({
    name: "Head clerk",
    description: "Runs the office.",
    version: "2.0.0",
    write_autonomy: "approval_required",
    skill_content: agent.skill_content,
  });
});

test("an edit in words shows what it changed, and is in the list of edits with its status", async ({
  page,
  account,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ skill: SKILL });
  const edit = await script({
    tool_calls: [
      {
        name: "$only",
        args: {
          skill_content: SKILL.replace("Friendly.", "Curt."),
          summary: "Made the tone curt.",
        },
        fill: true,
      },
    ],
  });
  await open(page, account, agent, "run");
  await page.getByRole("button", { name: "Edit in words" }).click();
  await page.getByLabel("What should change?").fill(`Be curt. ${edit.mark}`);
  await page.getByRole("button", { name: "Start edit" }).click();
  const outcome = page.getByRole("region", { name: "What the edit changed" });
  await expect(outcome.getByText("Friendly.")).toBeVisible();
  await expect(outcome.getByText("Curt.")).toBeVisible();
  await page.getByRole("link", { name: "Earlier edits of this agent" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Made the tone curt." })).toContainText(
    "Completed",
  );
  await page.getByRole("button", { name: "Show changes" }).click();
  await expect(page.getByRole("heading", { name: "Version 2" })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Skill changed" }).getByText("Curt."),
  ).toBeVisible();
});

test("any two versions are compared, and the address leads back to them", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: "one" });
  for (const skill_content of ["two", "three"])
    await api.patch(`/v1/agents/${agent.agent_id}`, { skill_content });
  await open(page, account, agent, "versions");
  await expect(page.getByRole("heading", { name: "Version 3" })).toBeVisible();
  await page.getByLabel("Compared with").selectOption({ label: "Version 1" });
  const changes = page.getByRole("region", { name: "Skill changed" });
  await expect(changes.getByText("one", { exact: true })).toBeVisible();
  await expect(changes.getByText("three", { exact: true })).toBeVisible();
  await page.reload();
  await expect(changes.getByText("one", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Whole", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Skill of version 3" })).toHaveText("three");
});

test("the editing pages have no accessibility fault, light and dark, in conflict too", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  test.slow();
  const agent = await newAgent({
    skill: SKILL,
    config: { limits: { max_steps: 3 }, permissions: { ask: ["nothing"] } },
  });
  const path = `/v1/agents/${agent.agent_id}`;
  await api.patch(path, {
    skill_content: SKILL.replace("Sort it.", "Sort it well."),
    description: "Another.",
  });
  await open(page, account, agent, "skill");
  await page.goto(`/agents/${agent.agent_id}?tab=versions`);
  await expect(
    page.getByRole("region", { name: "Skill changed" }).getByText("Sort it well."),
  ).toBeVisible();
  await expectNoFault(page, "versions");
  await page.getByRole("tab", { name: "Config" }).click();
  await expect(page.getByText("The agent has no tool named nothing.")).toBeVisible();
  await replaceText(page, "Config YAML", "version: 1\nmodle: x\n");
  await expect(page.getByText("Is not a known key.")).toBeVisible();
  await expectNoFault(page, "config");
  await page.getByRole("tab", { name: "Skill" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await replaceText(
    page,
    "Skill Markdown",
    `---\nname: clerk\n---\n${SKILL} **Mine** in \`code\`.`,
  );
  await expectNoFault(page, "skill");
  await api.patch(path, { skill_content: `${SKILL} Theirs.` });
  await page.getByRole("button", { name: "Save skill" }).click();
  await expect(page.getByRole("button", { name: "Take theirs here" }).first()).toBeVisible();
  await expectNoFault(page, "conflict");
  await page.getByRole("button", { name: "Edit details" }).click();
  // What lies under the overlay is dimmed on purpose.
  await expectNoFault(page, "details", "[role=dialog]");
});
