import { expect, test } from "../support/console-test";
import { signIn } from "../support/sign-in";

test("no side of an agent's editing is wider than 360 px, whatever its texts", async ({
  page,
  account,
  api,
  newAgent,
}) => {
  const long = "unbroken".repeat(80);
  const agent = await newAgent({
    skill: `# ${long}\n\n| a | b |\n| - | - |\n| ${long} | c |\n`,
    config: { starters: [long.slice(0, 500)] },
  });
  await api.patch(`/v1/agents/${agent.agent_id}`, {
    skill_content: long,
    description: long,
    release_note: long,
  });
  await signIn(page, account);
  const expectToFit = async (what: string) => {
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, what).toBe(0);
  };
  await page.goto(`/agents/${agent.agent_id}?tab=skill`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.getByRole("textbox", { name: "Skill Markdown" }).click();
  await page.keyboard.insertText(long);
  await expectToFit("skill");
  await api.patch(`/v1/agents/${agent.agent_id}`, { skill_content: `${long} theirs` });
  await page.getByRole("button", { name: "Save skill" }).click();
  await expect(page.getByRole("button", { name: "Take theirs here" })).toBeVisible();
  await expectToFit("conflict");
  await page.getByRole("tab", { name: "Config" }).click();
  await expect(page.getByRole("textbox", { name: "Config YAML" })).toBeVisible();
  await expectToFit("config");
  await page.getByRole("tab", { name: "Versions" }).click();
  await page.getByRole("button", { name: /Version 2/ }).click();
  await expect(
    page.getByRole("region", { name: "Skill changed" }).getByText("unbroken").first(),
  ).toBeVisible();
  await expectToFit("version");
  await page.getByRole("button", { name: "All versions" }).click();
  await expect(page.getByRole("button", { name: /Version 1/ })).toBeVisible();
  await expectToFit("versions");
});
