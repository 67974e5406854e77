import type { Page } from "@playwright/test";
import { waitingCall } from "../support/agents";
import { expect, openConsole, test } from "../support/console-test";
import { waitForRun } from "../support/runs";

async function openQueue(page: Page, account: { email: string; password: string }): Promise<void> {
  await openConsole(page, account, "/");
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Approvals/ })
    .click();
  await expect(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
}

test("an approved call is shown with its arguments, made once, and releases its run", async ({
  page,
  account,
  api,
  modelUrl,
  inbox,
}) => {
  const args = { title: "Broken lamp", note: "turned\u202eback" };
  const { runId, tool } = await waitingCall({
    api,
    modelUrl,
    inbox,
    args,
    agent: { name: "Ticket desk" },
  });
  await openQueue(page, account);
  const card = page.getByRole("article", { name: `Approval of ${tool}` });
  await expect(card.getByText("Ticket desk")).toBeVisible();
  await expect(card.getByText(`POST ${inbox.url}/tickets`, { exact: true })).toBeVisible();
  await expect(card.getByRole("region", { name: `Arguments of ${tool}` })).toContainText(
    '"title": "Broken lamp"',
  );
  await expect(card.getByText("turned\\u202eback")).toBeVisible();
  await expect(card.getByText("None is sent")).toBeVisible();
  expect(await inbox.received()).toEqual([]);
  await card.getByRole("button", { name: `Approve ${tool}` }).focus();
  await page.keyboard.press("Enter");
  await expect(card.getByText("Approved: the call is made")).toBeVisible();
  expect((await waitForRun(api, runId)).status).toBe("completed");
  expect((await inbox.received()).map(({ body }) => JSON.parse(body))).toEqual([args]);
  await card.getByRole("link", { name: "Open the run" }).click();
  await expect(page.getByText("That is settled.").first()).toBeVisible();
});

test("a tool that was changed while it waited is called as its card showed it", async ({
  page,
  newAccount,
  modelUrl,
  inbox,
}) => {
  const own = await newAccount();
  const { runId, agentId, tool } = await waitingCall({ api: own.api, modelUrl, inbox, args: {} });
  const swapped = {
    name: tool,
    method: "DELETE",
    url: `${inbox.url}/everything`,
    auth_secret: "CRM_KEY",
    input_schema: { type: "object" },
  };
  await own.api.patch(`/v1/agents/${agentId}`, {
    config: { version: 1, tools: { http: [swapped] } },
  });
  await openQueue(page, own);
  const card = page.getByRole("article", { name: `Approval of ${tool}` });
  await expect(card.getByText("/everything")).toHaveCount(0);
  await card.getByRole("button", { name: `Approve ${tool}` }).click();
  expect((await waitForRun(own.api, runId)).status).toBe("completed");
  const received = await inbox.received();
  expect(received).toHaveLength(1);
  expect(received[0]?.path).not.toContain("everything");
});

test("a rejected call is not made, keeps what was said, and stands among the rejected", async ({
  page,
  account,
  api,
  modelUrl,
  inbox,
}) => {
  const { runId, tool, approval } = await waitingCall({ api, modelUrl, inbox, args: {} });
  await openQueue(page, account);
  const card = page.getByRole("article", { name: `Approval of ${tool}` });
  await card.getByLabel("Message").fill("A colleague does that.");
  await card.getByRole("button", { name: `Reject ${tool}` }).click();
  await expect(card.getByText("Rejected: the call is not made.")).toBeVisible();
  expect((await waitForRun(api, runId)).status).toBe("completed");
  expect(await inbox.received()).toEqual([]);
  await page.getByRole("button", { name: "Rejected", exact: true }).click();
  await page.getByRole("link", { name: new RegExp(tool) }).click();
  await expect(page).toHaveURL(new RegExp(approval.approval_id));
  await expect(page.getByText("A colleague does that.")).toBeVisible();
});

test("the queue shows by itself what comes and is settled, and moves nothing in view", async ({
  page,
  newAccount,
  modelUrl,
  inbox,
}) => {
  const own = await newAccount();
  const first = await waitingCall({ api: own.api, modelUrl, inbox, args: {} });
  await openQueue(page, own);
  const cards = page.getByRole("article");
  await expect(cards).toHaveCount(1);
  const link = page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Approvals/ });
  await expect(link).toHaveAccessibleName("Approvals 1 waiting");
  const second = await waitingCall({ api: own.api, modelUrl, inbox, args: {} });
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(1)).toHaveAccessibleName(`Approval of ${second.tool}`);
  await own.api.post(`/v1/approvals/${first.approval.approval_id}/resolve`, {
    decision: "reject",
    message: "Done by hand.",
  });
  await expect(cards.nth(0).getByText("Done by hand.")).toBeVisible();
  await expect(cards.nth(0)).toHaveAccessibleName(`Approval of ${first.tool}`);
  await expect(cards.nth(0).getByRole("button", { name: /Approve/ })).toHaveCount(0);
  await expect(link).toHaveAccessibleName("Approvals 1 waiting");
});

test("a decision that comes too late is told plainly, and the call's real state is shown", async ({
  page,
  pageProblems,
  account,
  api,
  modelUrl,
  inbox,
}) => {
  const decided = await waitingCall({ api, modelUrl, inbox, args: {} });
  const cancelled = await waitingCall({ api, modelUrl, inbox, args: {} });
  await openQueue(page, account);
  // What happens next happens elsewhere, before the page looks again.
  pageProblems.allow(/^failed: GET \S+\/approvals\S* net::ERR_FAILED$/);
  await page.route(/\/api\/console\/v1\/approvals(\?|\/[^/]+$)/, (route) => route.abort());
  await api.post(`/v1/approvals/${decided.approval.approval_id}/resolve`, { decision: "reject" });
  await api.post(`/v1/runs/${cancelled.runId}/cancel`);
  for (const { tool } of [decided, cancelled])
    await page.getByRole("button", { name: `Approve ${tool}` }).click();
  await page.unroute(/\/api\/console\/v1\/approvals(\?|\/[^/]+$)/);
  const cardOf = (tool: string) => page.getByRole("article", { name: `Approval of ${tool}` });
  await expect(cardOf(decided.tool).getByRole("alert")).toContainText("rejected already");
  await expect(cardOf(decided.tool).getByText("Rejected", { exact: true })).toBeVisible();
  await expect(cardOf(cancelled.tool).getByRole("alert")).toContainText("its run was ended");
  await expect(cardOf(cancelled.tool).getByText("Expired", { exact: true })).toBeVisible();
  expect(await inbox.received()).toEqual([]);
});

test("another account's approval looks like a missing page", async ({
  page,
  stranger,
  api,
  modelUrl,
  inbox,
}) => {
  const { approval, tool } = await waitingCall({ api, modelUrl, inbox, args: {} });
  await openQueue(page, stranger);
  await expect(page.getByText(tool)).toHaveCount(0);
  await page.goto(`/approvals/${approval.approval_id}`);
  await expect(page.getByText(tool)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Approval");
});
