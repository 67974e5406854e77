import { expect, test } from "../support/console-test";
import { signUp } from "../support/sessions";

test("settings of a new agent are sent as lines of the form, below the words", async ({ page }) => {
  await signUp(page);
  await page.goto("/agents/new");
  await page.getByText("Settings", { exact: true }).click();
  await page.getByLabel("What should the agent do?").fill("Report the sales.");
  await page.getByLabel("Inputs").fill("year (integer, required), region");
  await page.getByLabel("Steps at most").fill("8");
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.method() === "POST" && sent.url().endsWith("/v1/agents")),
    page.getByRole("button", { name: "Create agent" }).click(),
  ]);
  expect(request.postDataJSON()).toMatchObject({
    input: "Report the sales.\n\ninputs: year (integer, required), region\nmax_steps: 8",
  });
});
