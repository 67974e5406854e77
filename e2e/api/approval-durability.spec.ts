import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createAccount } from "../support/accounts";
import { createAgent } from "../support/agents";
import { ModelScript } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { until } from "../support/until";
import { WebhookInbox } from "../support/webhook-inbox";

let dataDir: string;
let service: Service | null = null;

test.beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "lathe-approval-"));
});
test.afterEach(async () => {
  await service?.stop();
  service = null;
  await rm(dataDir, { recursive: true, force: true });
});

test("kill -9 while a run waits for a person: it still waits, and calls once", async () => {
  const [modelUrl, webhookUrl] = [
    process.env.E2E_MODEL_URL ?? "",
    process.env.E2E_WEBHOOK_URL ?? "",
  ];
  const port = await freePort();
  const environment = { EGRESS_ALLOW: new URL(webhookUrl).host };
  const start = () =>
    startService({
      port,
      dataDir: path.join(dataDir, "data"),
      modelUrl,
      environment,
      logFile: `${dataDir}.log`,
    });
  service = await start();
  const { api } = await createAccount(
    service.baseUrl,
    { credits: 1_000 },
    { DATA_DIR: path.join(dataDir, "data") },
  );
  const inbox = new WebhookInbox(webhookUrl);
  const http = [
    {
      name: "create_ticket",
      method: "POST",
      url: `${inbox.url}/tickets`,
      input_schema: { type: "object" },
    },
  ];
  const agent = await createAgent(api, modelUrl, {
    autonomy: "approval_required",
    config: { tools: { http }, limits: { timeout_seconds: 60 } },
  });
  const one = await ModelScript.register(modelUrl, [
    { tool_calls: [{ name: "create_ticket", args: { title: "x" } }] },
    { text: "Done." },
  ]);
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  const pending = () =>
    until(
      "an approval",
      async () =>
        (await api.get("/v1/approvals", { query: { status: "pending" } })).as("ApprovalPage")
          .data[0],
    );
  const { approval_id } = await pending();
  await service.kill();
  service = await start();
  expect((await pending()).approval_id).toBe(approval_id);
  expect((await api.get(`/v1/runs/${run_id}`)).as("Run")).toMatchObject({
    status: "running",
    requires_action: { approval_id },
  });
  expect(
    (await api.post(`/v1/approvals/${approval_id}/resolve`, { decision: "approve" })).status,
  ).toBe(200);
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "completed",
    result: { text: "Done." },
  });
  expect(await inbox.received()).toHaveLength(1);
  const stream = await RunStream.follow(api, run_id);
  await stream.readAll();
  expectWholeLog(stream.lines);
  expect(stream.lines.filter(({ type }) => type.startsWith("approval."))).toHaveLength(2);
});
