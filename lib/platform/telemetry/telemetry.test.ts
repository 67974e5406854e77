import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openTelemetry } from "@/lib/platform/telemetry/open-telemetry";
import { acceptedTraceParent, runStep, sendRunSpan } from "@/lib/platform/telemetry/run-spans";
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
    expect([request.url, request.headers["content-type"]]).toEqual(["/v1/traces", "application/json"]);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      services.add(resource.attributes.find(({ key }: { key: string }) => key === "service.name")?.value.stringValue);
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

test("without a collector nothing is made, and the work is done as it is", async () => {
  expect(telemetry()).toBeNull();
  expect(acceptedTraceParent(RUN)).toBeNull();
  expect(await span("x", async (notes) => notes.set({ a: 1 }))).toBeUndefined();
  expect(await span("x", async () => 5)).toBe(5);
  await expect(span("x", () => Promise.reject(new TypeError("no")))).rejects.toThrow("no");
  sendRunSpan({ id: RUN, traceParent: null, name: "run", attributes: {}, from: new Date(), to: new Date(), failure: null });
});

test("a request, its run, the run's steps and what they call are one trace, though the run ends elsewhere and later", async () => {
  const { received } = await collector();
  const client = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const traceParent = await span({ name: "POST /v1/runs", kind: "server", parent: client }, async () => acceptedTraceParent(RUN));
  // As another process does, which has only what was kept with the run.
  const run = { id: RUN, traceParent };
  await runStep(run, "turn 0", { "lathe.turn": 0 }, () =>
    span({ name: "chat m", kind: "client", attributes: { "gen_ai.operation.name": "chat" } }, async (notes) =>
      notes.set({ "gen_ai.usage.input_tokens": 12, "gen_ai.response.finish_reasons": ["stop"] }),
    ),
  );
  await runStep(run, "tool", {}, () => Promise.reject(new TypeError("what the tool said"))).catch(() => {});
  const [from, to] = [new Date("2026-01-01T00:00:00Z"), new Date("2026-01-01T00:00:02Z")];
  sendRunSpan({ ...run, name: "invoke_agent", attributes: {}, from, to, failure: "TIMEOUT" });
  const spans = await received();
  const of = (name: string) => spans.get(name) as Received; // a missing one fails below
  expect(new Set([...spans.values()].map(({ traceId }) => traceId))).toEqual(new Set(["0af7651916cd43dd8448eb211c80319c"]));
  const parents = [...spans.values()].map(({ name, parentSpanId }) => [
    name,
    [...spans.values()].find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId,
  ]);
  expect(Object.fromEntries(parents)).toEqual({
    "POST /v1/runs": "b7ad6b7169203331",
    invoke_agent: "POST /v1/runs",
    "turn 0": "invoke_agent",
    tool: "invoke_agent",
    "chat m": "turn 0",
  });
  expect(of("chat m").attributes).toEqual([
    { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
    { key: "gen_ai.usage.input_tokens", value: { intValue: 12 } },
    { key: "gen_ai.response.finish_reasons", value: { arrayValue: { values: [{ stringValue: "stop" }] } } },
  ]);
  expect([of("POST /v1/runs").kind, of("chat m").kind, of("turn 0").kind]).toEqual([2, 3, 1]);
  expect(BigInt(of("invoke_agent").endTimeUnixNano) - BigInt(of("invoke_agent").startTimeUnixNano)).toBe(2_000_000_000n);
  expect([of("tool").status.code, of("turn 0").status.code]).toEqual([2, 0]);
  expect(of("tool").attributes).toContainEqual({ key: "error.type", value: { stringValue: "TypeError" } });
  expect(JSON.stringify([...spans.values()])).not.toContain("what the tool said");
});

test("a run that nobody asked for, and one that was accepted before traces were sent, are traces of their own", async () => {
  const { received } = await collector();
  const scheduled = { id: RUN, traceParent: acceptedTraceParent(RUN) };
  const older = { id: RUN.replace("0001", "0002"), traceParent: null };
  for (const [name, run] of [
    ["scheduled", scheduled],
    ["older", older],
  ] as const) {
    await runStep(run, `${name} step`, {}, async () => {});
    sendRunSpan({ ...run, name, attributes: {}, from: new Date(), to: new Date(), failure: null });
  }
  const spans = await received();
  expect(spans.size).toBe(4);
  for (const name of ["scheduled", "older"]) {
    const [run, step] = [spans.get(name), spans.get(`${name} step`)];
    expect([run?.parentSpanId, step?.parentSpanId, step?.traceId]).toEqual([undefined, run?.spanId, run?.traceId]);
  }
  expect(spans.get("older")?.traceId).toBe(older.id.replaceAll("-", ""));
});

test("what the parent did not have recorded is not sent", async () => {
  const { received } = await collector();
  await span({ name: "left out", parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00" }, () => span("in it", async () => {}));
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
