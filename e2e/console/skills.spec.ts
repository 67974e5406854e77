import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { expect, test } from "../support/console-test";
import { toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { signIn } from "../support/sign-in";

const newName = () => `skill-${randomBytes(6).toString("hex")}`;
const skillText = (name: string, body: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${body}\n`;
const bytes = (text: string) => new TextEncoder().encode(text);
const zipOf = (files: Record<string, string>) => ({
  name: "skill.zip",
  mimeType: "application/zip",
  buffer: Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, bytes(text)]))),
  ),
});

async function open(
  page: Page,
  account: { email: string; password: string },
  path: string,
): Promise<void> {
  await signIn(page, account);
  await page.goto(path);
}

test("a skill uploaded as a zip is shown with its files and read by a run", async ({
  page,
  account,
  api,
  script,
}) => {
  const name = newName();
  await open(page, account, "/skills/new");
  const zip = zipOf({
    "SKILL.md": skillText(name, "# Refunds\n\nWithin **30 days**."),
    "refs/table.csv": "a,b\n",
  });
  await page.getByLabel("Zip to upload").setInputFiles(zip);
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Refunds" })).toBeVisible();
  await expect(page.getByText("refs/table.csv")).toBeVisible();
  const one = await script(
    { tool_calls: [{ name: "read_skill", args: { name } }] },
    { text: "Read." },
  );
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  expect(toolResultOf((await one.calls()).at(-1))).toContain("Within **30 days**.");
});

test("a taken name asks before it replaces, and the answer decides", async ({
  page,
  account,
  api,
}) => {
  const name = newName();
  const { skill_id } = (await api.post("/v1/skills", { content: skillText(name, "First.") })).as(
    "Skill",
  );
  const stored = async () => (await api.get(`/v1/skills/${skill_id}`)).as("SkillDetail");
  await open(page, account, "/skills/new");
  const dialog = page.getByRole("dialog", { name: "Replace the installed skill?" });
  await page
    .getByLabel("Zip to upload")
    .setInputFiles(zipOf({ "SKILL.md": skillText(name, "Second.") }));
  await dialog.getByRole("button", { name: "Keep the installed one" }).click();
  await expect(dialog).toBeHidden();
  expect(await stored()).toMatchObject({ version: 1 });
  await page.getByRole("textbox", { name: "SKILL.md" }).fill(skillText(name, "Third."));
  await page.getByRole("button", { name: "Install skill" }).click();
  await dialog.getByRole("button", { name: "Replace it" }).click();
  await expect(page).toHaveURL(new RegExp(skill_id));
  await expect(page.getByText("Third.")).toBeVisible();
  expect(await stored()).toMatchObject({ version: 2, content: skillText(name, "Third.") });
});

test("faults of the frontmatter are shown by line while it is written, and lead there", async ({
  page,
  account,
  api,
}) => {
  await open(page, account, "/skills/new?example=true");
  const area = page.getByRole("textbox", { name: "SKILL.md" });
  const check = page.getByRole("region", { name: "Check" });
  await expect(check.getByText("invoice-check")).toBeVisible();
  await area.fill("---\nname: Not A Name\ndescription: x\n---\n");
  const fault = check.getByRole("button", { name: /Line 2 · name/ });
  await expect(fault).toContainText("lower-case letters");
  await fault.click();
  await expect(area).toBeFocused();
  expect(
    await area.evaluate((element: HTMLTextAreaElement) =>
      element.value.slice(element.selectionStart, element.selectionEnd),
    ),
  ).toBe("name: Not A Name");
  await page.getByRole("button", { name: "Install skill" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("line 2");
  expect((await api.get("/v1/skills", { query: { limit: 100 } })).text).not.toContain("Not A Name");
});

test("what is no skill's zip is refused in words", async ({ page, account }) => {
  await open(page, account, "/skills/new");
  await page.getByLabel("Zip to upload").setInputFiles(zipOf({ "readme.txt": "x" }));
  await expect(page.getByRole("main").getByRole("alert")).toContainText("SKILL.md");
  await page.getByRole("button", { name: "Put away" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
});

test("a skill is switched in the list, and deleted on its page; built-in ones are not", async ({
  page,
  account,
  api,
}) => {
  const name = newName();
  const { skill_id } = (await api.post("/v1/skills", { content: skillText(name, "x") })).as(
    "Skill",
  );
  await open(page, account, "/skills");
  const toggle = page.getByRole("switch", { name: `Enable ${name}` });
  for (const on of [false, true]) {
    await toggle.click();
    await expect(toggle).toBeChecked({ checked: on });
    await expect(toggle).toBeEnabled();
    expect((await api.get(`/v1/skills/${skill_id}`)).as("SkillDetail").enabled).toBe(on);
  }
  const builtIn = (await api.get("/v1/skills", { query: { limit: 100 } }))
    .as("SkillPage")
    .data.find(({ source }) => source === "built_in");
  await expect(page.getByRole("switch", { name: `Enable ${builtIn?.name}` })).toHaveCount(0);
  await page.getByRole("link", { name }).click();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete skill" }).click();
  await expect(page).toHaveURL(/\/skills$/);
  expect((await api.get(`/v1/skills/${skill_id}`)).status).toBe(404);
});
