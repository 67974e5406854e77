import type { Page } from "@playwright/test";
import { expect, expectNoFault, openConsole, test } from "../support/console-test";
import { type ModelScript, type ScriptTurn, textOfMessages } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { until } from "../support/until";

const WORD = "Leave the appendix out.";
/** It is held while something is said, and takes another turn for that. */
const HELD: ScriptTurn = { text: "I look it up first.", hold_after: 1 };
const HEARD: ScriptTurn = { text: "Then without the appendix." };

/** Types a word into the box of the run at work, and sees it wait there. */
async function sayIt(page: Page): Promise<void> {
  const form = page.getByRole("form", { name: "Say something to this run" });
  await form.getByLabel("Say to this run").fill(WORD);
  await form.getByLabel("Say to this run").press("Enter");
  await expect(form.getByRole("list", { name: "Messages that wait" })).toContainText(WORD);
  await expect(form.getByLabel("Say to this run")).toHaveValue("");
}

/** The model is told the word with its next request, once. */
async function expectHeard(script: ModelScript): Promise<void> {
  const [first, second] = await script.waitForCalls(2);
  expect(textOfMessages(first).split(WORD)).toHaveLength(1);
  expect(textOfMessages(second).split(WORD)).toHaveLength(2);
}

test("what is typed on a run at work waits, is heard with its next step, transcribed", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const own = await newAccount();
  const agent = await newAgent({}, own.api);
  const one = await script(HELD, HEARD);
  const { run_id } = await startRun(own.api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await one.waitForCalls(1);
  await openConsole(page, own, `/runs/${run_id}`);
  await sayIt(page);
  await one.release();
  await expect(page.getByText("Then without the appendix.").first()).toBeVisible();
  await expectHeard(one);
  await waitForRun(own.api, run_id);
  await expect(page.getByRole("form", { name: "Say something to this run" })).toHaveCount(0);
  await expect(page.getByText(WORD).first()).toBeVisible();
});

test("the super-agent at work is told something on its own page", async ({
  page,
  newAccount,
  script,
}) => {
  const person = await newAccount({ superAgent: true });
  const one = await script(HELD, HEARD);
  await openConsole(page, person, "/super-agent");
  await page.getByLabel("Message", { exact: true }).fill(`Write the report. ${one.mark}`);
  await page.getByRole("button", { name: "Send" }).click();
  await one.waitForCalls(1);
  await sayIt(page);
  await one.release();
  await expect(page.getByText("Then without the appendix.").first()).toBeVisible();
  await expectHeard(one);
});

test("a run that has reached its budget says so, offers a higher limit, and goes on", async ({
  page,
  newAccount,
  script,
}) => {
  const own = await newAccount({ credits: 1_000 });
  const spending: ScriptTurn = {
    text: "spending",
    tool_calls: [{ name: "todo", fill: true }],
    usage: { input: 4_000, output: 100 },
  };
  const one = await script(spending, { text: "All orders are in order." });
  const { run_id } = await startRun(own.api, {
    input: { text: one.mark },
    max_credits: 8,
    on_budget: "wait",
  });
  const { required } = await until("the run to wait", async () => {
    const { requires_action: action } = (await own.api.get(`/v1/runs/${run_id}`)).as("Run");
    return action?.type === "budget" && action;
  });
  await openConsole(page, own, `/runs/${run_id}`);
  const form = page.getByRole("form", { name: "Raise the limit" });
  const limit = form.getByLabel("Raise to");
  expect(Number(await limit.inputValue())).toBeGreaterThanOrEqual(required);
  await expectNoFault(page, "a run that has reached its budget");
  const offered = await limit.inputValue();
  await limit.fill("8");
  await form.getByRole("button", { name: "Raise and go on" }).click();
  await expect(form).toContainText("at least");
  await limit.fill(offered);
  await form.getByRole("button", { name: "Raise and go on" }).click();
  await expect(page.getByText("All orders are in order.").first()).toBeVisible();
  await expect(form).toHaveCount(0);
  expect(await one.calls()).toHaveLength(2);
});
