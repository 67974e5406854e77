import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { noteCaller } from "@/lib/api/http/bearer-key";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";
import { setMetrics } from "@/lib/platform/metrics/metrics";
import { type OpenSpan, type SpanStart, setTelemetry } from "@/lib/platform/telemetry/telemetry";
import { parseTrustedProxies } from "@/lib/server/address-limits";
import { createListener, type Handler } from "@/lib/server/listener";
import { countRequest } from "@/lib/server/mount-listener";
import type { SeenRequest } from "@/lib/server/request-record";

const servers: Server[] = [];
afterEach(() => {
  setTelemetry(null);
  setMetrics(null);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const ok: Handler = (_request, response) => void response.end("served");

async function serve(next: Handler = ok, addressesPerMinute = 0, proxies: string[] = []) {
  const seen: SeenRequest[] = [];
  let now = 0;
  const listener = createListener({
    addressesPerMinute,
    connectionsPerAddress: 0,
    trustedProxies: parseTrustedProxies(proxies),
    now: () => now,
    tell: (each) => seen.push(each),
  });
  const server = createServer((incoming, response) => listener.answer(incoming, response, next));
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const open = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false });
  const ask = async (...args: Parameters<typeof open>) => {
    const call = open(...args);
    call.end();
    // Node's documented argument.
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of answer.setEncoding("utf8")) text += chunk;
    return { id: answer.headers["x-request-id"], status: answer.statusCode, text };
  };
  const told = async (count: number) => {
    await expect.poll(() => seen).toHaveLength(count);
    return seen;
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { ask, open, told, pass };
}

test("an answer carries its request's plain id, else one of ours, its handler's", async () => {
  const { ask, told } = await serve(
    (request, response) => void response.end(request.headers["x-request-id"]?.toString()),
  );
  for (const id of ["order-4711", "a.b_C-9", "x".repeat(128)])
    expect(await ask("/", { "x-request-id": id })).toMatchObject({ id, text: id });
  for (const id of ["", "x".repeat(129), "a b", "a;b", "Ü", "a,b"]) {
    const answer = await ask("/", {
      "x-request-id": encodeURI(id) === id ? id : Buffer.from(id).toString("latin1"),
    });
    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.text).toBe(answer.id);
  }
  expect(new Set((await told(9)).map(({ request_id }) => request_id)).size).toBe(9);
});

test("a refusal carries the id too, and is told", async () => {
  const { ask, told } = await serve(ok, 1);
  await ask("/metrics");
  expect(await ask("/metrics", { "x-request-id": "mine" })).toMatchObject({
    id: "mine",
    status: 429,
  });
  expect((await told(2))[1]).toMatchObject({ request_id: "mine", status: 429, kind: "route" });
});

test("one request is told once: its path without query, its answer, time and size", async () => {
  const service = await serve((_request, response) => {
    service.pass(12.34);
    response.writeHead(201, { "content-type": "text/plain" }).end("x".repeat(1_000));
  });
  const id = "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001";
  await service.ask(`/api/artifacts/${id}?signature=of-somebody`, { "x-request-id": "r1" }, "POST");
  const [seen] = await service.told(1);
  expect(seen).toEqual({
    request_id: "r1",
    method: "POST",
    path: `/api/artifacts/${id}`,
    kind: "route",
    status: 201,
    duration_ms: 12.3,
    bytes: expect.any(Number),
    account_id: null,
  });
  expect(seen?.bytes).toBeGreaterThan(1_000);
  expect(seen?.bytes).toBeLessThan(2_000);
});

test("the account is told once its key was accepted, and nothing of the key", async () => {
  const authorization = "Bearer key-of-somebody";
  const { ask, told } = await serve((_request, response) => {
    noteCaller({ authorization, cookie: undefined }, "account-1");
    response.end();
  });
  await ask("/api/console/v1/runs", { authorization });
  await ask("/api/console/v1/runs", { authorization: "Bearer made-up" });
  const seen = await told(2);
  expect(seen.map(({ account_id }) => account_id)).toEqual(["account-1", null]);
  expect(JSON.stringify(seen)).not.toMatch(/key-of|made-up/);
});

test("a client that leaves, before the answer or within a stream, is told as such", async () => {
  const { open, told } = await serve((request, response) => {
    if (request.url === "/api/stream")
      response
        .writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" })
        .write("{}\n");
  });
  const stream = open("/api/stream");
  stream.on("error", () => {}).end();
  await once(stream, "response");
  stream.destroy();
  expect((await told(1))[0]).toMatchObject({ kind: "stream", status: 200, aborted: true });
  const silent = open("/api/silent");
  silent.on("error", () => {}).end();
  await once(silent, "finish");
  await expect.poll(() => silent.socket?.bytesWritten).toBeGreaterThan(0);
  silent.destroy();
  expect((await told(2))[1]).toMatchObject({ status: null, aborted: true });
});

test("requests are counted by what answers and status class; clients make no series", async () => {
  const made = createMetrics();
  setMetrics(made);
  const seen = { request_id: "", path: "", bytes: 0, account_id: null };
  countRequest({ ...seen, kind: "api", method: "GET", status: 204, duration_ms: 20 });
  countRequest({ ...seen, kind: "api", method: "BREW", status: 404, duration_ms: 20 });
  countRequest({ ...seen, kind: "page", method: "GET", status: null, duration_ms: 20 });
  const text = await made.registry.metrics();
  for (const labels of [
    'kind="api",method="GET",status="2xx"',
    'kind="api",method="other",status="4xx"',
    'kind="page",method="GET",status="none"',
  ])
    expect(text).toContain(`lathe_http_request_duration_seconds_count{${labels}} 1`);
});

test("a request is a span named after its route; what works for it works within it", async () => {
  const started: SpanStart[] = [];
  const notes: unknown[] = [];
  let current: string | null = null;
  setTelemetry({
    start(start) {
      started.push(start);
      const span: OpenSpan = {
        traceParent: start.name,
        set: (set) => notes.push(set),
        fail: (kind) => notes.push(kind),
        end: () => notes.push("end"),
      };
      return span;
    },
    within(span, work) {
      current = span.traceParent;
      const result = work();
      current = null;
      return result;
    },
    current: () => null,
    later: () => {},
    flush: async () => {},
    close: async () => {},
  });
  const within: (string | null)[] = [];
  const { ask, told } = await serve((_request, response) => {
    within.push(current);
    response.writeHead(500).end();
  });
  await ask("/api/console/v1/runs/01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001/events?x=1");
  await ask("/_next/static/x.js");
  await told(2);
  expect(started.map(({ name, parent, kind }) => ({ name, parent, kind }))).toEqual([
    { name: "GET /api/console/v1/runs/{id}/events", parent: null, kind: "server" },
  ]);
  expect(within).toEqual(["GET /api/console/v1/runs/{id}/events", null]);
  expect(notes).toEqual([
    expect.objectContaining({ "http.response.status_code": 500 }),
    "500",
    "end",
  ]);
});

test("a trusted proxy's trace goes on; a stranger's is a link of ours alone", async () => {
  const started: SpanStart[] = [];
  setTelemetry({
    start(start) {
      started.push(start);
      return { traceParent: start.name, set: () => {}, fail: () => {}, end: () => {} };
    },
    within: (_span, work) => work(),
    current: () => null,
    later: () => {},
    flush: async () => {},
    close: async () => {},
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  for (const proxies of [["127.0.0.1"], []]) {
    const { ask, told } = await serve(ok, 0, proxies);
    await ask("/v1x", { traceparent });
    await told(1);
  }
  expect(started.map(({ parent, link }) => ({ parent, link }))).toEqual([
    { parent: traceparent, link: undefined },
    { parent: null, link: traceparent },
  ]);
});
