import { beforeAll, expect, test } from "vitest";
import { giveRunWebhook, webhookPayloadSchema } from "@/lib/api/schemas/run-webhook";
import { runWebhookWriter } from "@/lib/domain/webhooks/run-webhook";
import { testService } from "@/lib/platform/test/test-service";

const RUN = { runId: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0002", conversationId: null };
const ARTIFACT = {
  id: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0003",
  url: "x",
  name: "sales.csv",
  type: "text/csv",
  title: "Sales",
  size_bytes: 5,
};

testService({ SIGNING_SECRET: "s".repeat(32) });
beforeAll(giveRunWebhook);

test("the body of a completed run's webhook is these bytes, links to files unsigned", () => {
  const result = { text: "Grüße", agent_name: "Reader", artifacts: [ARTIFACT], data: { a_b: 1 } };
  const body = runWebhookWriter().write({ ...RUN, end: { result } });
  expect(body).toBe(
    `{"runId":"${RUN.runId}","status":"completed","threadId":null,"conversationId":null,` +
      `"result":{"text":"Grüße","agentName":"Reader","artifacts":[{"id":"${ARTIFACT.id}",` +
      `"url":"artifact:${ARTIFACT.id}","name":"sales.csv","type":"text/csv","title":"Sales",` +
      '"sizeBytes":5}],"data":{"a_b":1}}}',
  );
  expect(webhookPayloadSchema.parse(JSON.parse(body))).toEqual(JSON.parse(body));
});

test("the body of one that did not complete is these bytes, and fits the document", () => {
  const error = { code: "RUN_CANCELLED", message: "The run was cancelled." } as const;
  const body = runWebhookWriter().write({ ...RUN, end: { error } });
  expect(body).toBe(
    `{"runId":"${RUN.runId}","status":"failed","threadId":null,"conversationId":null,` +
      '"error":{"code":"RUN_CANCELLED","message":"The ' +
      'run was cancelled."}}',
  );
  expect(webhookPayloadSchema.parse(JSON.parse(body))).toEqual(JSON.parse(body));
});

test("of a stored body nothing changes but links to files, signed for its account", () => {
  const links = { accountId: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001", baseUrl: "https://a.example" };
  const { write, withLinks } = runWebhookWriter();
  const without = `${write({ ...RUN, end: { result: { text: "t", artifacts: [] } } })} `;
  expect(withLinks(without, links)).toBe(without);
  const body = write({ ...RUN, end: { result: { text: "t", artifacts: [ARTIFACT] } } });
  const [before, after] = body.split(`artifact:${ARTIFACT.id}`) as [string, string];
  const sent = withLinks(body, links);
  expect(sent.startsWith(`${before}https://a.example/api/artifacts/${ARTIFACT.id}?`)).toBe(true);
  expect(sent.endsWith(after)).toBe(true);
});
