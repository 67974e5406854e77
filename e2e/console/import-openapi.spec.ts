import { expect, openConsole, test } from "../support/console-test";

const DOCUMENT = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: "https://shop.example.com/api" }]
paths:
  /orders/{order}:
    get:
      operationId: getOrder
      summary: Fetch an order
      parameters: [{ name: order, in: path, required: true, schema: { type: string } }]
  /stock:
    get: { operationId: listStock, summary: List the stock }
`;

test("an OpenAPI document's operations become tools of the config, and the rest stays", async ({
  page,
  newAccount,
  newAgent,
}) => {
  const own = await newAccount();
  const agent = await newAgent({}, own.api);
  const path = `/v1/agents/${agent.agent_id}`;
  const written = "# Written by hand.\nversion: 1 # the format\n";
  await own.api.patch(path, { config_content: written });
  await openConsole(page, own, `/agents/${agent.agent_id}?tab=config`);
  await page.getByRole("button", { name: "Import from OpenAPI" }).click();
  const dialog = page.getByRole("dialog", { name: "Import tools from OpenAPI" });
  await dialog.getByRole("button", { name: "List operations" }).click();
  await expect(dialog).toContainText("Paste a document, or choose a file.");
  await dialog.getByLabel("OpenAPI document").fill(DOCUMENT);
  await dialog.getByRole("button", { name: "List operations" }).click();
  await dialog.getByRole("checkbox", { name: "GET /orders/{order}" }).check();
  await expect(dialog.getByRole("checkbox", { name: "GET /stock" })).not.toBeChecked();
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByText("https://shop.example.com/api/orders/{order}")).toBeVisible();
  for (const [width, height] of [
    [1280, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      if (process.env.SHOT)
        await page.screenshot({ path: `${process.env.SHOT}-openapi-${width}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole("button", { name: "Put into the config", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Config YAML" })).toContainText("getOrder");
  await page.getByRole("button", { name: "Save config" }).click();
  await expect
    .poll(async () =>
      (
        (await own.api.get(path)).as("Agent").config as { tools?: { http?: { name: string }[] } }
      ).tools?.http?.map(({ name }) => name),
    )
    .toEqual(["getOrder"]);
  expect((await own.api.get(path)).as("Agent").config_content).toContain(written.trim());
});
