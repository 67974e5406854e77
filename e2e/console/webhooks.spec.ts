import { expect, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";
import { signIn } from "../support/sign-in";

test("a failed delivery is found by run, shown with the answer as text, and sent again", async ({
  page,
  account,
  api,
  inbox,
  script,
}) => {
  await inbox.answerWith([{ status: 410, body: "<b>gone</b>" }, { status: 204 }]);
  const one = await script({ text: "The result." });
  const { run_id } = await startRun(api, { input: { text: one.mark }, webhook_url: inbox.url });
  await waitForRun(api, run_id);
  await inbox.waitFor(1);
  await signIn(page, account);
  await page.goto(`/runs/${run_id}`);
  await page.getByRole("link", { name: "Not delivered" }).click();
  const attempts = page.getByRole("region", { name: "Attempts", exact: true });
  await expect(attempts.getByText("HTTP 410")).toBeVisible();
  await expect(attempts.getByRole("region", { name: "Answer to attempt 1" })).toHaveText(
    "<b>gone</b>",
  );
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(attempts.getByText("HTTP 204")).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Facts" }).getByText("Delivered", { exact: true }),
  ).toBeVisible();
  const calls = await inbox.received();
  expect(calls.map(({ headers }) => headers["webhook-id"])).toEqual([run_id, run_id]);
});

test("deliveries are filtered by status and by run, and the filter stands in the address", async ({
  page,
  newAccount,
  inbox,
  script,
}) => {
  const own = await newAccount();
  await inbox.answerWith([{ status: 410 }]);
  const runs = [];
  for (const url of [inbox.url, `${inbox.url}-other`]) {
    const one = await script({ text: "x" });
    const { run_id } = await startRun(own.api, { input: { text: one.mark }, webhook_url: url });
    await waitForRun(own.api, run_id);
    runs.push(run_id);
  }
  await signIn(page, own);
  await page.goto("/webhooks");
  const rows = page.getByRole("region", { name: "Deliveries" }).getByRole("link");
  await expect(rows.filter({ hasText: "Failed" })).toHaveCount(1);
  await expect(rows.filter({ hasText: "Delivered" })).toHaveCount(1);
  await page.getByRole("button", { name: "Failed", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/status=failed/);
  await page.goto(`/webhooks?run=${runs[1]}`);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText("Delivered");
  await page.getByRole("button", { name: /^Show all runs/ }).click();
  await expect(rows).toHaveCount(2);
});

test("the signing secret is covered and in no markup until asked for, and rotated", async ({
  signedIn: { page },
}) => {
  await page.goto("/webhooks?tab=signing");
  const shown = page.getByTestId("signing-secret");
  await expect(shown).toContainText("whsec_•");
  const { webhook_secret: secret } = await (
    await page.request.get("/api/console/v1/account/webhook-secret")
  ).json();
  expect(await page.content()).not.toContain(secret);
  expect(await (await page.request.get("/webhooks?tab=signing")).text()).not.toContain(secret);
  await page.getByRole("button", { name: "Show secret" }).click();
  await expect(shown).toHaveText(secret);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate the signing secret" });
  await dialog.getByLabel("The old secret signs along for").selectOption("1 more hour");
  await dialog.getByRole("button", { name: "Rotate secret" }).click();
  await expect(page.getByText("The secret before this one still signs along")).toBeVisible();
  await expect(shown).not.toHaveText(secret);
  await expect(page.getByText("webhook.verify(body")).toBeVisible();
  await page.getByRole("button", { name: "Python" }).click();
  await expect(page.getByText("WebhookVerificationError").first()).toBeVisible();
});
