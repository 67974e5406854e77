import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../support/console-test";
import { runShape } from "../support/shapes";
import { signIn, signInByForm } from "../support/sign-in";

test("a stranger is sent to the sign-in page and comes back to where they wanted to go", async ({ page, newAccount }) => {
  const { email, password } = await newAccount();
  await page.goto("/runs");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
});

test("a wrong password is refused with a sentence and opens nothing", async ({ page, newAccount }) => {
  const { email } = await newAccount();
  await signInByForm(page, { email, password: "not the password" });
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await page.goto("/keys");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("from sign-up to a finished run: key shown once, agent built live from words, run streamed and kept", async ({ signedIn, script }) => {
  const { page } = signedIn;
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
              inputs: { type: "object", properties: { topic: { type: "string", title: "Topic" } }, required: ["topic"] },
            },
            write_autonomy: "full_auto",
          },
        },
      ],
    },
    { text: "Ready." },
  );
  await page.getByLabel("What should the agent do?").fill(`An agent that writes reports. ${build.mark}`);
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

test("a run is watched live on its page and cancelled there", async ({ page, newAccount, newAgent, script }) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Slow writer" }, account.api);
  const slow = await script({ text: "word ".repeat(50), chunk_size: 5, hold_after: 5 });
  const accepted = await account.api.post("/v1/runs", { agent_id: agent.agent_id, input: { text: slow.mark } });
  const runId = accepted.as(runShape).run_id;
  await signIn(page, account);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await page.goto(`/runs/${runId}`);
  await expect(page.getByText("word word").first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("This run was cancelled").first()).toBeVisible();
});

test("the pages of the first slice have no accessibility fault, in light and in dark", async ({ page, newAccount, newAgent }) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Plain agent" }, account.api);
  await signIn(page, account);
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const path of ["/", "/agents", `/agents/${agent.agent_id}`, "/runs", "/keys", "/workspaces"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa"]).analyze();
      expect(violations.map((violation) => `${path} ${colorScheme}: ${violation.id} ${violation.nodes[0]?.html}`)).toEqual([]);
    }
  }
});
