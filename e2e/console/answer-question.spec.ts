import { createAgent } from "../support/agents";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";

test("a run that asks shows its question on its page, where a person answers it", async ({
  page,
  newAccount,
  modelUrl,
  script,
}) => {
  const account = await newAccount();
  const agent = await createAgent(account.api, modelUrl, {
    config: { tools: { builtin: ["ask_user"] } },
  });
  const question = { question: "Which region comes first?", options: ["North", "South"] };
  const one = await script(
    { tool_calls: [{ name: "ask_user", args: question }] },
    { text: "South comes first." },
  );
  const { run_id } = await startRun(account.api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await openConsole(page, account, `/runs/${run_id}`);
  await expect(page.getByText("Which region comes first?").first()).toBeVisible();
  const answer = page.getByLabel("Your answer");
  await expectAccessible(page, `/runs/${run_id}`, () => expect(answer).toBeVisible());
  await answer.fill("South");
  await answer.press("Enter");
  await expect(page.getByText("South comes first.").first()).toBeVisible();
  await waitForRun(account.api, run_id);
  expect(toolResultOf((await one.calls()).at(-1))).toBe('{"answer":"South"}');
});
