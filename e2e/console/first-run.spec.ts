import { expect, test } from "../support/console-test";
import { signUp } from "../support/sessions";

test("from sign-up to a finished run: key shown once, agent built live, run streamed", async ({
  page,
  script,
}) => {
  await signUp(page);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("Copy it now.")).toBeVisible();
  const build = await script(
    {
      tool_calls: [
        {
          name: "$only",
          fill: true,
          args: {
            name: "Report writer",
            description: "Writes reports.",
            skill_content: "# Report writer\n\nWrite a report.",
            config: {
              version: 1,
              inputs: {
                type: "object",
                properties: { topic: { type: "string", title: "Topic" } },
                required: ["topic"],
              },
            },
            write_autonomy: "full_auto",
          },
        },
      ],
    },
    { text: "Ready." },
  );
  await page
    .getByLabel("What should the agent do?")
    .fill(`An agent that writes reports. ${build.mark}`);
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("link", { name: "Open agent" })).toBeVisible();
  const run = await script({ text: "## Report\n\nFirst paragraph about lathes.", chunk_size: 4 });
  await page.getByLabel("Topic").fill(`lathes ${run.mark}`);
  await page.getByRole("button", { name: "Run agent" }).click();
  await expect(page.getByText("First paragraph about lathes.")).toBeVisible();
  await page.getByRole("link", { name: "Open agent" }).click();
  await page.getByRole("tab", { name: "Skill" }).click();
  await expect(page.getByText("Write a report.").first()).toBeVisible();
  await page.getByRole("tab", { name: "Config" }).click();
  await expect(page.getByRole("tabpanel").getByText("title: Topic").first()).toBeVisible();
  await page.goto("/keys");
  await expect(page.getByText("Copy it now.")).toHaveCount(0);
  await page.goto("/runs");
  await expect(page.getByText("Completed").first()).toBeVisible();
});
