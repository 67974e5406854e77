import type { ApiClient } from "./api-client";
import { pageShape, skillShape } from "./shapes";
import { startRun } from "./start-run";
import { until } from "./until";
import { waitForRun } from "./wait-for-run";
import { waitingCall } from "./waiting-call";
import type { WebhookInbox } from "./webhook-inbox";

/** Puts one of everything that waits, was sent or is kept into an account, with long names; gives the pages that show it. */
export async function filledAccount(api: ApiClient, modelUrl: string, inbox: WebhookInbox, mark: string): Promise<string[]> {
  await inbox.answerWith([{ status: 410, body: `${"x".repeat(200)}\n<b>gone</b>` }]);
  const run = await startRun(api, { input: { text: mark }, should_notify: true, webhook_url: `${inbox.url}/${"long-".repeat(30)}` });
  await waitForRun(api, run.run_id);
  const args = { title: "a".repeat(300), lines: Array.from({ length: 40 }, (_, index) => `line ${index}`) };
  const { approval } = await waitingCall({ api, modelUrl, inbox, args, agent: { name: "An agent with a name that is quite long" } });
  await api.post("/v1/secrets", {
    name: "K".repeat(64),
    value: "x",
    description: "d".repeat(120),
    allowed_hosts: [`${"h".repeat(60)}.example.com`],
  });
  const content = `---\nname: ${"skill-".repeat(10)}x\ndescription: ${"word ".repeat(60)}\n---\n\n# Title\n\n| a | b |\n| --- | --- |\n| ${"c".repeat(90)} | d |\n`;
  const { skill_id } = (await api.post("/v1/skills", { content })).as(skillShape);
  const builtIn = (await api.get("/v1/skills", { query: { limit: 100 } }))
    .as(pageShape(skillShape))
    .data.find(({ source }) => source === "built_in");
  const delivery = await until("the delivery to have failed", async () => {
    const page = (await api.get("/v1/webhook-deliveries", { query: { status: "failed" } })).json() as { data: { delivery_id: string }[] };
    return page.data[0];
  });
  return [
    "/approvals",
    "/approvals?status=rejected",
    `/approvals/${approval.approval_id}`,
    "/secrets",
    "/skills",
    "/skills/new?example=true",
    `/skills/${skill_id}`,
    `/skills/${builtIn?.skill_id}`,
    "/webhooks",
    "/webhooks?tab=signing",
    `/webhooks/${delivery.delivery_id}`,
    `/runs/${run.run_id}`,
    "/settings",
    "/settings/activity",
  ];
}
