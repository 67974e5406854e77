import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { APICallError } from "@ai-sdk/provider";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRunTrace } from "@/lib/domain/execution/trace/read-run-trace";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import {
  type DomainDatabase,
  injectModel,
  openDomainDatabase,
} from "@/lib/domain/test/domain-database";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { executeRun } from "@/lib/jobs/execute-run";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";
import { setMetrics } from "@/lib/platform/metrics/metrics";
import { openTelemetry } from "@/lib/platform/telemetry/open-telemetry";
import { setTelemetry, span } from "@/lib/platform/telemetry/telemetry";
import { type ScriptedTurn, type SeenTurn, scriptedModel } from "@/lib/runtime/test/scripted-model";

const key = Buffer.alloc(32, 7).toString("base64");
const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
  SIGNING_SECRET: key,
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "seen",
  DEFAULT_MODEL: "compatible/seen",
};

interface Received {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

let database: DomainDatabase;
let executor: EmbeddedExecutor;
let owner: Principal;
let collector: Server;
let telemetry: ReturnType<typeof openTelemetry>;
const spans: Received[] = [];
const metrics = createMetrics();
let script: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    for (const { scopeSpans } of JSON.parse(text).resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader("content-type", "application/json").end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo; // it listens on a port
  telemetry = openTelemetry({ endpoint: `http://127.0.0.1:${port}`, serviceName: "lathe" });
  database = await openDomainDatabase({ env: settings });
  setTelemetry(telemetry);
  setMetrics(metrics);
  owner = await database.account();
  injectModel(scriptedModel("compatible/seen", (seen) => script(seen)));
  executor = await startEmbeddedExecutor({
    functions: [executeRun],
    pool: database.pool,
    concurrency: 4,
  });
});
afterAll(async () => {
  setTelemetry(null);
  setMetrics(null);
  await executor.stop({ graceMs: 1_000 });
  await database.close();
  collector.close();
});

async function start(): Promise<RunView> {
  const run = await requestRun(owner, "agent", {
    agentId: null,
    input: { request: "Do it." },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: "compatible/seen",
    metadata: {},
    maxCreditsMicros: null,
  });
  if ("replayed" in run) throw new Error("there is no key to replay");
  return run;
}

async function end({ id }: RunView): Promise<RunView> {
  for await (const _ of followRunLog(id, { after: -1, signal: AbortSignal.timeout(50_000) }));
  return getRun(owner, id);
}

const refusal = (statusCode: number, responseBody: string) =>
  new APICallError({
    message: `status ${statusCode}`,
    url: "http://127.0.0.1:9/v1",
    requestBodyValues: {},
    statusCode,
    responseBody,
  });

/** The attributes of a span that was received, as plain values. */
const attributesOf = ({ attributes }: Received) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

test("a collector gets a run's spans, in one trace with the request, over the queue", async () => {
  let isAway = true;
  script = ({ prompt }) => {
    if (isAway) {
      isAway = false;
      throw refusal(503, "the model is away");
    }
    return prompt.some(({ role }) => role === "tool")
      ? { text: "two" }
      : { call: { name: "calculate", input: { expression: "1 + 1" } } };
  };
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const run = await span(
    { name: "POST /v1/runs", kind: "server", parent: `00-${traceId}-b7ad6b7169203331-01` },
    start,
  );
  expect((await end(run)).status).toBe("completed");
  await telemetry.flush();
  const own = spans.filter((each) => each.traceId === traceId);
  const pathOf = (each: Received | undefined): string =>
    each
      ? [pathOf(own.find(({ spanId }) => spanId === each.parentSpanId)), each.name]
          .filter(Boolean)
          .join(" > ")
      : "";
  expect(own.map(pathOf).sort()).toEqual([
    "POST /v1/runs",
    "POST /v1/runs > invoke_agent",
    "POST /v1/runs > invoke_agent > queue",
    "POST /v1/runs > invoke_agent > turn",
    "POST /v1/runs > invoke_agent > turn",
    "POST /v1/runs > invoke_agent > turn > chat seen",
    "POST /v1/runs > invoke_agent > turn > chat seen",
    "POST /v1/runs > invoke_agent > turn > chat seen",
    "POST /v1/runs > invoke_agent > turn > execute_tool calculate",
  ]);
  const trace = await readRunTrace(owner, run.id);
  expect(trace.map(({ kind }) => kind).sort()).toEqual([
    "model",
    "model",
    "queue",
    "retry",
    "tool",
    "turn",
    "turn",
  ]);
  const known = new Map(own.map((each) => [attributesOf(each)["lathe.span.id"], each]));
  const nanos = (date: Date | null) =>
    date === null ? null : String(BigInt(date.getTime()) * 1_000_000n);
  for (const part of trace) {
    const sent = known.get(part.spanId);
    if (!sent) throw new Error(`${part.spanId} was not sent`);
    expect([sent.startTimeUnixNano, sent.endTimeUnixNano]).toEqual([
      nanos(part.startedAt),
      nanos(part.endedAt),
    ]);
    expect([part.spanId, sent.status.code === 2]).toEqual([part.spanId, part.status === "failed"]);
    expect(attributesOf(sent)["lathe.credits"] ?? 0).toBe(part.credits);
    expect(sent.parentSpanId).toBe(
      part.parentId === null
        ? own.find(({ name }) => name === "invoke_agent")?.spanId
        : known.get(part.parentId)?.spanId,
    );
    if (part.kind !== "model") continue;
    expect(attributesOf(sent)).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "compatible",
      "gen_ai.request.model": "seen",
      "gen_ai.usage.input_tokens": part.attributes.input_tokens,
      "gen_ai.usage.output_tokens": part.attributes.output_tokens,
      "gen_ai.usage.cache_read.input_tokens": part.attributes.cached_input_tokens,
      "gen_ai.response.finish_reasons": {
        values: [{ stringValue: part.attributes.finish_reason }],
      },
    });
  }
  const tool = trace.find(({ kind }) => kind === "tool");
  expect(attributesOf(known.get(tool?.spanId) as Received)["gen_ai.tool.call.id"]).toBe(
    tool?.attributes.tool_call_id,
  ); // it was found above
  for (const text of ["Do it.", "1 + 1", "the model is away"])
    expect(JSON.stringify(own)).not.toContain(text);
  const text = await metrics.registry.metrics();
  for (const line of [
    'lathe_step_duration_seconds_count{step="turn",outcome="ok"} 2',
    'lathe_step_duration_seconds_count{step="tool",outcome="ok"} 1',
    'lathe_model_call_duration_seconds_count{model="compatible/seen",outcome="ok"} 2',
    'lathe_model_tokens_total{model="compatible/seen",direction="output"} 20',
  ])
    expect(text).toContain(line);
});

test("a run failed by its provider says so in the provider's words, redacted", async () => {
  await createSecret(owner, {
    name: "TOKEN",
    value: "secret-of-the-account",
    description: null,
    allowedHosts: ["example.com"],
  });
  script = () => {
    throw refusal(
      400,
      JSON.stringify({
        error: { message: "Unknown parameter secret-of-the-account in messages[1]." },
      }),
    );
  };
  const { status, error } = await end(await start());
  expect([status, error]).toEqual([
    "failed",
    {
      code: "EXECUTION_FAILED",
      message:
        "The provider of compatible/seen refused the request (status 400). The provider says: " +
        "Unknown parameter [redacted] in messages[1].",
    },
  ]);
});
