import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { NOTHING_MORE, type TraceSpan } from "@/lib/model/run/trace-span";
import { openTelemetry } from "@/lib/platform/telemetry/open-telemetry";
import {
  acceptedTraceParent,
  sendRunSpan,
  sendTraceSpans,
  withinTraceSpan,
} from "@/lib/platform/telemetry/run-spans";
import { readTraceParent, setTelemetry, span, telemetry } from "@/lib/platform/telemetry/telemetry";

interface Received {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

const servers: Server[] = [];
afterEach(() => {
  setTelemetry(null);
  for (const server of servers.splice(0)) server.close();
});

/** A collector: OTLP over HTTP, in JSON. */
async function collector() {
  const spans: Received[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    expect([request.url, request.headers["content-type"]]).toEqual([
      "/v1/traces",
      "application/json",
    ]);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      services.add(
        resource.attributes.find(({ key }: { key: string }) => key === "service.name")?.value
          .stringValue,
      );
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader("content-type", "application/json").end("{}");
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const made = openTelemetry({ endpoint: `http://127.0.0.1:${port}`, serviceName: "lathe-test" });
  setTelemetry(made);
  const received = async () => {
    await made.flush();
    expect([...services]).toEqual(["lathe-test"]);
    return new Map(spans.map((each) => [each.name, each]));
  };
  return { received };
}

const RUN = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001";
const [FROM, TO] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-01-01T00:00:02Z")];
const part = (
  more: Pick<TraceSpan, "spanId" | "kind" | "name"> & Partial<TraceSpan>,
): TraceSpan => ({
  ...NOTHING_MORE,
  ...{ parentId: null, status: "succeeded", startedAt: FROM, endedAt: TO },
  ...more,
});

test("without a collector nothing is made, and the work is done as it is", async () => {
  expect(telemetry()).toBeNull();
  expect(acceptedTraceParent(RUN)).toBeNull();
  expect(await span("x", async (notes) => notes.set({ a: 1 }))).toBeUndefined();
  expect(await span("x", async () => 5)).toBe(5);
  await expect(span("x", () => Promise.reject(new TypeError("no")))).rejects.toThrow("no");
  sendRunSpan({
    id: RUN,
    traceParent: null,
    name: "run",
    attributes: {},
    from: new Date(),
    to: new Date(),
    failure: null,
  });
});

test("a request, its run, parts and children are one trace, wherever they end", async () => {
  const { received } = await collector();
  const client = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const traceParent = await span(
    { name: "POST /v1/runs", kind: "server", parent: client },
    async () => acceptedTraceParent(RUN),
  );
  // As another process does, which has only what was kept with the run.
  const run = { id: RUN, traceParent };
  const childId = RUN.replace("0001", "0002");
  const child = {
    id: childId,
    traceParent: await withinTraceSpan(run, "tool-c1", async () => acceptedTraceParent(childId)),
  };
  const attributes = {
    finish_reason: "stop",
    input_tokens: 12,
    cached_input_tokens: 3,
    output_tokens: 7,
    reasoning_tokens: 5,
    request_id: "req_1",
  };
  sendTraceSpans(run, [
    part({ spanId: "turn-0", kind: "turn", name: "Turn 1", attributes: { turn: 0 } }),
    part({
      spanId: "model-0",
      parentId: "turn-0",
      kind: "model",
      name: "google/gem/2",
      attributes,
      credits: 1.5,
    }),
    part({
      spanId: "tool-c1",
      parentId: "turn-0",
      kind: "tool",
      name: "ask",
      status: "failed",
      error: { code: "TOOL_FAILED", message: "what the tool said" },
    }),
    part({
      spanId: "webhook-d-1",
      kind: "webhook",
      name: "https://hooks.example.com/path?token=of-the-receiver",
      attributes: { status_code: 200 },
    }),
    part({
      spanId: "model-1",
      kind: "model",
      name: "still/open",
      status: "running",
      endedAt: null,
    }),
  ]);
  sendRunSpan({
    ...run,
    name: "invoke_agent",
    attributes: {},
    from: FROM,
    to: TO,
    failure: "TIMEOUT",
  });
  sendRunSpan({
    ...child,
    name: "invoke_child",
    attributes: {},
    from: FROM,
    to: TO,
    failure: null,
  });
  const spans = await received();
  const of = (name: string) => spans.get(name) as Received; // a missing one fails below
  expect(new Set([...spans.values()].map(({ traceId }) => traceId))).toEqual(
    new Set(["0af7651916cd43dd8448eb211c80319c"]),
  );
  const parents = [...spans.values()].map(({ name, parentSpanId }) => [
    name,
    [...spans.values()].find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId,
  ]);
  expect(Object.fromEntries(parents)).toEqual({
    "POST /v1/runs": "b7ad6b7169203331",
    invoke_agent: "POST /v1/runs",
    turn: "invoke_agent",
    "chat gem/2": "turn",
    "execute_tool ask": "turn",
    invoke_child: "execute_tool ask",
    webhook: "invoke_agent",
  });
  expect(
    Object.fromEntries(
      of("chat gem/2").attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    ),
  ).toEqual({
    "lathe.run.id": RUN,
    "lathe.span.id": "model-0",
    "lathe.span.status": "succeeded",
    "lathe.credits": 1.5,
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "gcp.gemini",
    "gen_ai.system": "gcp.gemini",
    "gen_ai.request.model": "gem/2",
    "gen_ai.response.id": "req_1",
    "gen_ai.response.finish_reasons": { values: [{ stringValue: "stop" }] },
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 7,
    "gen_ai.usage.cache_read.input_tokens": 3,
    "gen_ai.usage.reasoning.output_tokens": 5,
  });
  expect([of("POST /v1/runs").kind, of("chat gem/2").kind, of("turn").kind]).toEqual([2, 3, 1]);
  for (const name of ["invoke_agent", "turn"])
    expect(BigInt(of(name).endTimeUnixNano) - BigInt(of(name).startTimeUnixNano)).toBe(
      2_000_000_000n,
    );
  expect([of("execute_tool ask").status.code, of("turn").status.code]).toEqual([2, 0]);
  expect(of("execute_tool ask").attributes).toContainEqual({
    key: "error.type",
    value: { stringValue: "TOOL_FAILED" },
  });
  expect(of("webhook").attributes).toContainEqual({
    key: "server.address",
    value: { stringValue: "hooks.example.com" },
  });
  for (const text of ["what the tool said", "of-the-receiver"])
    expect(JSON.stringify([...spans.values()])).not.toContain(text);
});

test("what is put off is done before all is sent, and fails nothing else", async () => {
  const { received } = await collector();
  const made = telemetry();
  made?.later(() => Promise.reject(new Error("the database is away")));
  made?.later(async () =>
    sendRunSpan({
      id: RUN,
      traceParent: null,
      name: "late",
      attributes: {},
      from: FROM,
      to: TO,
      failure: null,
    }),
  );
  expect([...(await received()).keys()]).toEqual(["late"]);
});

test("a run nobody asked for, or from before traces, is a trace of its own", async () => {
  const { received } = await collector();
  const scheduled = { id: RUN, traceParent: acceptedTraceParent(RUN) };
  const older = { id: RUN.replace("0001", "0002"), traceParent: null };
  for (const [name, run] of [
    ["scheduled", scheduled],
    ["older", older],
  ] as const) {
    sendTraceSpans(run, [part({ spanId: "tool-1", kind: "tool", name: `of ${name}` })]);
    sendRunSpan({ ...run, name, attributes: {}, from: new Date(), to: new Date(), failure: null });
  }
  const spans = await received();
  expect(spans.size).toBe(4);
  for (const name of ["scheduled", "older"]) {
    const [run, step] = [spans.get(name), spans.get(`execute_tool of ${name}`)];
    expect([run?.parentSpanId, step?.parentSpanId, step?.traceId]).toEqual([
      undefined,
      run?.spanId,
      run?.traceId,
    ]);
  }
  expect(spans.get("older")?.traceId).toBe(older.id.replaceAll("-", ""));
});

test("what the parent did not have recorded is not sent", async () => {
  const { received } = await collector();
  await span(
    { name: "left out", parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00" },
    () => span("in it", async () => {}),
  );
  await span("kept", async () => {});
  expect([...(await received()).keys()]).toEqual(["kept"]);
});

test.each([
  "",
  "00-0-0-01",
  "00-00000000000000000000000000000000-b7ad6b7169203331-01",
  "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
])("%s is no trace parent", (text) => {
  expect(readTraceParent(text)).toBeNull();
});

test("a span linked to another trace begins its own, and no parent is no link", async () => {
  const { received } = await collector();
  const stranger = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  for (const [name, link] of [
    ["linked", stranger],
    ["odd", "no trace parent"],
  ] as const)
    await span({ name, kind: "server", parent: null, link }, async () => {});
  const spans = await received();
  expect(spans.get("linked")).toMatchObject({
    links: [{ traceId: stranger.slice(3, 35), spanId: stranger.slice(36, 52) }],
  });
  expect(spans.get("linked")?.traceId).not.toBe(stranger.slice(3, 35));
  expect(spans.get("odd")).toMatchObject({ links: [] });
});
