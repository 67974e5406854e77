import { randomBytes } from "node:crypto";
import { expect, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";
import { signIn } from "../support/sign-in";
import { until } from "../support/until";

const newName = () => `KEY_${randomBytes(6).toString("hex").toUpperCase()}`;

test("a secret of the console is sent by a connector, and is in no page or answer again", async ({
  page,
  newAccount,
  newAgent,
  script,
  inbox,
}) => {
  const { api, ...credentials } = await newAccount();
  const name = newName();
  const value = `sk-${randomBytes(12).toString("hex")}\nsecond line`;
  const marker = value.slice(3, 27);
  await signIn(page, credentials);
  const answers: Promise<string>[] = [];
  page.on("response", (response) => answers.push(response.text().catch(() => "")));
  await page.goto("/secrets");
  await page.getByRole("button", { name: "Add secret" }).click();
  const dialog = page.getByRole("dialog", { name: "Add secret" });
  await dialog.getByLabel("Name").fill(name);
  await expect(dialog.getByLabel("Value", { exact: true })).toHaveAttribute("autocomplete", "off");
  await dialog.getByLabel("Value", { exact: true }).fill(value);
  await dialog.getByLabel("Allowed hosts").fill(new URL(inbox.url).host);
  expect(await page.content()).not.toContain(marker);
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(name)).toBeVisible();
  await expect(page.getByText("No active agent names it.")).toBeVisible();

  const http = [
    {
      name: "ping",
      method: "GET",
      url: `${inbox.url}/ping`,
      auth_secret: name,
      auth_header: "x-key",
      input_schema: { type: "object" },
    },
  ];
  const agent = await newAgent({ name: "Pinger", config: { tools: { http } } }, api);
  // A header holds one line only.
  const oneLine = marker;
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Replace value" }).click();
  const replace = page.getByRole("dialog", { name: `Replace ${name}` });
  await expect(replace.getByLabel("New value")).toHaveValue("");
  await replace.getByLabel("New value").fill(oneLine);
  await replace.getByRole("button", { name: "Replace value" }).click();
  await expect(replace).toBeHidden();
  const one = await script({ tool_calls: [{ name: "ping", args: {} }] }, { text: "Pong." });
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  expect((await inbox.received()).map(({ headers }) => headers["x-key"])).toEqual([oneLine]);

  await page.reload();
  await expect(page.getByRole("link", { name: "Pinger" })).toBeVisible();
  await expect(page.getByText("Never", { exact: true })).toHaveCount(0);
  await page.goto(`/runs/${run_id}`);
  await expect(page.getByText("Pong.").first()).toBeVisible();
  expect(await page.content()).not.toContain(marker);
  const texts = await Promise.all(answers);
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => text.includes(marker))).toEqual([]);
});

test("a name that breaks the rule is explained while typed, and a better one offered", async ({
  page,
  account,
  api,
}) => {
  await signIn(page, account);
  await page.goto("/secrets?add=true");
  const dialog = page.getByRole("dialog", { name: "Add secret" });
  const suffix = randomBytes(4).toString("hex");
  await dialog.getByLabel("Name").fill(`crm key ${suffix}`);
  await expect(dialog.getByText("This name breaks the rule.")).toBeVisible();
  const name = `CRM_KEY_${suffix.toUpperCase()}`;
  await dialog.getByRole("button", { name: `Use ${name}` }).click();
  await expect(dialog.getByLabel("Name")).toHaveValue(name);
  await dialog.getByLabel("Value", { exact: true }).fill("x");
  await dialog.getByLabel("Allowed hosts").fill("https://api.example.com/path");
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog.getByText("is no host")).toBeVisible();
  await dialog.getByLabel("Allowed hosts").fill("api.example.com, crm.example.com:8443");
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog).toBeHidden();
  const stored = (await api.get(`/v1/secrets/${name}`)).json();
  expect(stored).toMatchObject({
    name,
    allowed_hosts: ["api.example.com", "crm.example.com:8443"],
  });
});

test("a taken name is refused in words, and a deleted secret is gone", async ({
  page,
  account,
  api,
}) => {
  const name = newName();
  await api.post("/v1/secrets", { name, value: "x", allowed_hosts: ["api.example.com"] });
  await signIn(page, account);
  await page.goto("/secrets?add=true");
  const dialog = page.getByRole("dialog", { name: "Add secret" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Value", { exact: true }).fill("y");
  await dialog.getByLabel("Allowed hosts").fill("api.example.com");
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Replace its value from the list instead.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete secret" }).click();
  await until(
    "the secret to be gone",
    async () => (await api.get(`/v1/secrets/${name}`)).status === 404,
  );
  await expect(page.getByText(name, { exact: true })).toHaveCount(0);
});

test("the page names missing secrets that agents want, and offers their connectors' hosts", async ({
  page,
  newAccount,
  newAgent,
  inbox,
}) => {
  const own = await newAccount();
  const name = newName();
  const http = [
    {
      name: "ping",
      method: "GET",
      url: `${inbox.url}/ping`,
      auth_secret: name,
      input_schema: { type: "object" },
    },
  ];
  await newAgent({ name: "Wanting agent", config: { tools: { http } } }, own.api);
  await signIn(page, own);
  await page.goto("/secrets");
  await expect(
    page.getByRole("main").getByText("Agents name secrets that do not exist"),
  ).toBeVisible();
  await expect(page.getByRole("main").getByText(`${name}, in Wanting agent`)).toBeVisible();

  await page.getByRole("button", { name: "Add secret" }).click();
  const dialog = page.getByRole("dialog", { name: "Add secret" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Value", { exact: true }).fill("x");
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog.getByText("Name a host that the value may be sent to")).toBeVisible();
  const { host } = new URL(inbox.url);
  await dialog.getByRole("button", { name: `Add ${host}` }).click();
  await dialog.getByRole("button", { name: "Add secret" }).click();
  await expect(dialog).toBeHidden();
  expect((await own.api.get(`/v1/secrets/${name}`)).json()).toMatchObject({
    allowed_hosts: [host],
  });
});
