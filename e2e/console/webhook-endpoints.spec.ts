import { expect, test } from "../support/console-test";
import { WebhookInbox } from "../support/webhook-inbox";

test("an owner adds an endpoint, sees its secret once, tests, stops, deletes it", async ({
  signedIn: { page },
  webhookUrl,
}) => {
  const inbox = new WebhookInbox(webhookUrl);
  await page.goto("/webhooks?tab=endpoints");
  const card = page.getByRole("region", { name: "Endpoints" });
  await expect(card.getByText("Nobody listens yet")).toBeVisible();
  await card.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Add endpoint" });
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await expect(dialog.getByText("Enter an address that begins with https://.")).toBeVisible();
  await dialog.getByLabel("Address").fill(inbox.url);
  await dialog.getByLabel("Everything, later kinds too").check();
  await expect(dialog.getByLabel("A run failed")).toBeDisabled();
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  const secret = page.getByRole("dialog", { name: "The endpoint's secret" });
  await expect(secret.getByTestId("endpoint-secret")).toHaveText(/^whsec_/);
  await secret.getByRole("button", { name: "Done" }).click();

  await expect(card.getByText("every event")).toBeVisible();
  await card.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Send a test event" }).click();
  const [call] = await inbox.waitFor(1);
  expect(JSON.parse(call?.body ?? "")).toMatchObject({ type: "endpoint.test" });
  await card.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Show its deliveries" }).click();
  await expect(page.getByText(/endpoint\.test →/)).toBeVisible();

  await page.goto("/webhooks?tab=endpoints");
  const listening = card.getByRole("switch");
  await listening.click();
  await expect(listening).not.toBeChecked();
  await card.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete endpoint" }).click();
  await expect(card.getByText("Nobody listens yet")).toBeVisible();
});
