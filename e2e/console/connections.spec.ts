import { test as base, expect, expectNoFault, openConsole } from "../support/console-test";

const SERVER = process.env.E2E_OAUTH_MCP_URL ?? "";

// Authorization servers send people back to the address that the service has taken for itself,
// whose cookies are its own.
const test = base.extend({
  baseURL: ({ serviceUrl }, use) => use(serviceUrl.replace("127.0.0.1", "localhost")),
});

test("a server that an agent wants is signed in to, shown as connected, and disconnected", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const { api, ...credentials } = await newAccount({ credits: 10_000 });
  await newAgent(
    {
      name: "Ticket reader",
      config: { tools: { mcp: [{ name: "tickets", url: SERVER, auth: "oauth" }] } },
    },
    api,
  );
  await openConsole(page, credentials, "/connections");
  const list = page
    .getByRole("region", { name: "Connections" })
    .or(page.getByLabel("Connections", { exact: true }))
    .first();
  await expect(list.getByText("Not signed in")).toBeVisible();
  await expect(list.getByRole("link", { name: "Ticket reader" })).toBeVisible();
  await expectNoFault(page, "/connections");
  await page.getByRole("button", { name: `Sign in to ${SERVER}` }).click();
  await page.waitForURL(/\/connections\?sign-in=connected$/);
  await expect(
    page.getByText("Agents that name this server use it from their next turn on."),
  ).toBeVisible();
  await expect(list.getByText("tickets", { exact: true })).toBeVisible();
  const [connection] = (await api.get("/v1/connections")).as("ConnectionPage").data;
  expect(connection).toMatchObject({ server_url: SERVER, status: "connected", last_error: null });
  await page.getByRole("button", { name: `Disconnect ${SERVER}` }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(dialog.getByText(/go without its tools from now on/)).toBeVisible();
  await dialog.getByRole("button", { name: "Disconnect" }).click();
  await expect(list.getByText("Not signed in")).toBeVisible();
  expect((await api.get("/v1/connections")).as("ConnectionPage").data).toEqual([]);
});

test("a server that signs nobody in is told at its address, a link's words unshown", async ({
  page,
  newAccount,
}) => {
  const { api, ...credentials } = await newAccount();
  await openConsole(page, credentials, "/connections?sign-in=Call+0900+now");
  await expect(page.getByText("No connections yet")).toBeVisible();
  await expect(page.getByText("0900")).toHaveCount(0);
  await page.getByRole("button", { name: "Connect a server" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect a server" });
  await dialog.getByLabel("Server address").fill("https://10.0.0.1/mcp");
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog.getByText(/must lead to a public http or https address/)).toBeVisible();
  expect((await api.get("/v1/connections")).as("ConnectionPage").data).toEqual([]);
});
