import { readFile } from "node:fs/promises";
import type { Agent } from "../support/api-document";
import { expect, expectAccessible, openConsole, test } from "../support/console-test";

const texts = ({
  name,
  description,
  skill_content,
  config,
  dashboard_template,
  write_autonomy,
}: Agent) => ({
  name,
  description,
  skill_content,
  config,
  dashboard_template,
  write_autonomy,
});

test("an agent is exported as a file and imported again as the same agent", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent(
    { name: "Träger: 日報", skill: "# Skill\n\n- one\n- two\n" },
    account.api,
  );
  await account.api.patch(`/v1/agents/${agent.agent_id}`, {
    config_content: "# mine\nversion: 1\nstarters: [Go] # soon\n",
  });
  await openConsole(page, account, `/agents/${agent.agent_id}`);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export as YAML" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.agent\.yaml$/);
  const document = await readFile(await download.path());
  await page.goto("/agents");
  await page.getByRole("button", { name: "Import" }).click();
  await page
    .getByLabel(/Choose a file/)
    .setInputFiles({ name: "a.yaml", mimeType: "application/yaml", buffer: document });
  await expect(page.getByLabel("Document")).toHaveValue(document.toString("utf8"));
  await page.getByRole("button", { name: "Import agent" }).click();
  await expect(page).toHaveURL(/\/agents\/[0-9a-f-]{36}/);
  await expect(page).not.toHaveURL(new RegExp(agent.agent_id));
  const made = (await account.api.get(`/v1${new URL(page.url()).pathname}`)).as("Agent");
  const original = (await account.api.get(`/v1/agents/${agent.agent_id}`)).as("Agent");
  expect(texts(made)).toEqual(texts(original));
  for (const comment of ["# mine", "# soon"]) expect(made.config_content).toContain(comment);
});

test("a document that does not fit is refused with line and column, a click leads there", async ({
  page,
  newAccount,
}) => {
  const account = await newAccount();
  await openConsole(page, account, "/agents");
  await page.getByRole("button", { name: "Import" }).click();
  const area = page.getByLabel("Document");
  await area.fill(
    "kind: agent\nformat: 1\nname: Broken\nskill_content: text\nconfig:\n  version: 1\n" +
      "  colour: red\n",
  );
  await page.getByRole("button", { name: "Import agent" }).click();
  const problem = page
    .getByRole("dialog")
    .getByRole("alert")
    .getByRole("button", { name: /line 7, column 3/ });
  await problem.click();
  await expect(area).toBeFocused();
  const selected = await area.evaluate((element: HTMLTextAreaElement) =>
    element.value.slice(element.selectionStart, element.selectionEnd),
  );
  expect(selected).toBe("colour: red");
  await expect(page).toHaveURL(/\/agents$/);
});

test("a copy is made and opened; an archived agent says so, does not run, is found so", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({ name: "First" }, account.api);
  await openConsole(page, account, `/agents/${agent.agent_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "First (copy)" })).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Archive agent" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive agent" }).click();
  await expect(page).toHaveURL(/\/agents$/);
  await expect(page.getByRole("link", { name: /First \(copy\)/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Archived" }).click();
  await page.getByRole("link", { name: /First \(copy\)/ }).click();
  await expect(page.getByText("This agent is archived")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run agent" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Edit in words" })).toHaveCount(0);
});

test("an app key of an agent's page is in its code, runs it, and is gone once revoked", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({}, account.api);
  await openConsole(page, account, `/agents/${agent.agent_id}?tab=api`);
  await page.getByRole("button", { name: "Create app key" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Website");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByTestId("api-key").textContent()) ?? "";
  expect(key).toMatch(/^appapi_/);
  await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  const code = page.getByRole("region", { name: "Run by an app key in curl" });
  await expect(code).toContainText(key);
  await expect(code).toContainText(`/api/v1/apps/${agent.agent_id}/runs`);
  const answer = await account.api.post(
    `/api/v1/apps/${agent.agent_id}/runs`,
    { inputs: {} },
    { headers: { authorization: `Bearer ${key}` } },
  );
  expect(answer.status).toBe(202);
  await page.getByRole("button", { name: "Actions for Website" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(code).not.toContainText(key);
});

test("the agents list, its import and the API side have no accessibility fault", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const account = await newAccount();
  const agent = await newAgent({}, account.api);
  await openConsole(page, account, "/agents");
  await expectAccessible(page, "/agents", async () => {
    await page.getByRole("button", { name: "Import" }).click();
    await expect(page.getByLabel("Document")).toBeVisible();
  });
  await expectAccessible(page, `/agents/${agent.agent_id}?tab=api`, () =>
    expect(page.getByText("No app key yet.")).toBeVisible(),
  );
});

test("the keys of another account's agent are not listed, and a malformed id is refused", async ({
  signedIn: { page },
  stranger,
  newAgent,
}) => {
  const agent = await newAgent({}, stranger.api);
  const answer = await page.request.get(`/api/console/keys?agent_id=${agent.agent_id}`);
  expect(await answer.json()).toEqual({ data: [], has_more: false, next_cursor: null });
  expect((await page.request.get("/api/console/keys?agent_id=none")).status()).toBe(400);
});
