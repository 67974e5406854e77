import { expect, expectAccessible, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";
import { signIn } from "../support/sign-in";

test("a run's page shows its input and metadata, and runs it again with the same", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Repeater" }, account.api);
  const { mark } = await script({ text: "Done once more." });
  const input = { topic: `lathes ${mark}`, depth: 3 };
  const started = await startRun(account.api, {
    agent_id: agent.agent_id,
    input,
    metadata: { customer: "c-17" },
  });
  const run = await waitForRun(account.api, started.run_id);
  await openConsole(page, account, `/runs/${run.run_id}`);
  await expect(page.getByRole("region", { name: "Input", exact: true })).toContainText(input.topic);
  await expect(page.getByRole("region", { name: "Facts" })).toContainText("c-17");
  await page.getByRole("button", { name: "Run again…" }).click();
  await page
    .getByRole("dialog", { name: "Run again" })
    .getByRole("button", { name: "Run again" })
    .click();
  await expect(page).not.toHaveURL(new RegExp(run.run_id));
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Done once more.").first()).toBeVisible();
  const again = await account.api.get(`/v1${new URL(page.url()).pathname}`, {
    query: { include_input: "true" },
  });
  expect(again.json()).toMatchObject({
    input,
    agent_id: agent.agent_id,
    metadata: { customer: "c-17" },
    replayed_from: run.run_id,
  });
  expect(again.as("Run").conversation_id).not.toBe(run.conversation_id);
  for (const row of (await account.api.get("/v1/runs")).as("RunPage").data)
    expect(row).not.toHaveProperty("input");
});

test("a file of a run is deleted from its page, and then the run itself", async ({
  page,
  newAccount,
  script,
}) => {
  const account = await newAccount();
  const made = (name: string) => ({
    name: "artifacts",
    args: { title: name, name, type: "text/markdown", content: "x" },
    fill: true,
  });
  const { mark } = await script(
    { tool_calls: [made("first.md"), made("second.md")] },
    { text: "Both are made." },
  );
  const run = await waitForRun(
    account.api,
    (await startRun(account.api, { input: { text: mark } })).run_id,
  );
  await openConsole(page, account, `/runs/${run.run_id}`);
  const files = page.getByRole("region", { name: "Files" });
  await files.getByRole("button", { name: "Delete first.md" }).click();
  await page.getByRole("button", { name: "Delete file" }).click();
  await expect(page.getByText("The file was deleted.")).toBeVisible();
  await expect(files).not.toContainText("first.md");
  await expect(files).toContainText("second.md");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete run" }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(page.getByText("The run was deleted.")).toBeVisible();
  expect((await account.api.get(`/v1/runs/${run.run_id}`)).status).toBe(404);
});

test("a conversation is read, continued in view of what was said before, and deleted", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Talker" }, account.api);
  const talk = await script(
    { text: "The capital is Lathetown." },
    { text: "It has **nine** bridges." },
  );
  const first = await startRun(account.api, {
    agent_id: agent.agent_id,
    input: { request: `Which capital? ${talk.mark}` },
  });
  const { conversation_id } = await waitForRun(account.api, first.run_id);
  await openConsole(page, account, "/conversations");
  await page
    .getByRole("main")
    .getByRole("link", { name: /Which capital/ })
    .click();
  const messages = page.getByRole("region", { name: "Messages" });
  await expect(messages).toContainText("The capital is Lathetown.");
  await page.getByLabel("Request").fill("And how many bridges?");
  await page.getByRole("button", { name: "Run agent" }).click();
  await expect(messages.getByText("nine", { exact: true })).toBeVisible();
  await expect(messages.getByRole("listitem")).toHaveCount(4);
  const calls = await talk.calls();
  expect(JSON.stringify(calls.at(-1)?.body.messages)).toContain("The capital is Lathetown.");
  await expect(
    page.getByRole("region", { name: "Runs of the conversation" }).getByRole("link"),
  ).toHaveCount(2);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete conversation" }).click();
  await expect(page).toHaveURL(/\/conversations$/);
  expect((await account.api.get(`/v1/conversations/${conversation_id}`)).status).toBe(404);
  expect((await account.api.get(`/v1/runs/${first.run_id}`)).status).toBe(200);
});

test("a run and conversations have no accessibility fault, in light and in dark", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({}, account.api);
  const run = await waitForRun(
    account.api,
    (await startRun(account.api, { agent_id: agent.agent_id, input: { request: "Hello" } })).run_id,
  );
  await openConsole(page, account, "/conversations");
  await expectAccessible(page, "/conversations", () =>
    expect(page.getByRole("link", { name: /Hello/ })).toBeVisible(),
  );
  await expectAccessible(page, `/conversations/${run.conversation_id}`, () =>
    expect(page.getByLabel("Request")).toBeVisible(),
  );
  await expectAccessible(page, `/runs/${run.run_id}`, () =>
    expect(page.getByRole("button", { name: "Run again" })).toBeVisible(),
  );
});

test("a run is watched live on its page and cancelled there", async ({
  page,
  newAccount,
  newAgent,
  script,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "Slow writer" }, account.api);
  const slow = await script({ text: "word ".repeat(50), chunk_size: 5, hold_after: 5 });
  const accepted = await account.api.post("/v1/runs", {
    agent_id: agent.agent_id,
    input: { text: slow.mark },
  });
  const runId = accepted.as("Run").run_id;
  await signIn(page, account);
  await page.goto(`/runs/${runId}`);
  await expect(page.getByText("word word").first()).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("This run was cancelled").first()).toBeVisible();
});
