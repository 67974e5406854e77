// A webhook receiver on loopback, for tests only. One process serves a whole suite; a test picks a
// key of its own.
//
//   node e2e/support/webhook-receiver.mjs    WEBHOOK_RECEIVER_PORT (0 = any); when it listens, it
//                                            prints {"port": N}
//
//   POST /hooks/KEY[/…]       what the service calls; answers by the key's script, else 204
//   POST /scripts {key, answers: [{status, headers, body | body_base64, delay_ms}]}
//                             the last answer repeats for ever; an answer
//                             {mcp: {tools, result, error}} is that of an MCP server: of its
//                             listing, and of a call
//   GET  /received?key=KEY    the calls received, oldest first:
//                             {at, path, headers, body, body_base64}
//   GET  /healthz
import { createServer } from "node:http";

const scripts = new Map();
const received = new Map();

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const bytes = Buffer.concat(parts);
  const body = bytes.toString("utf8");
  const url = new URL(request.url, "http://receiver");
  const name = `${request.method} ${url.pathname}`;
  if (url.pathname.startsWith("/hooks/")) return receive(request, response, url, bytes);
  if (name === "GET /healthz") return send(response, { status: 200, body: "ok" });
  if (name === "GET /received")
    return send(response, {
      status: 200,
      body: JSON.stringify({ calls: received.get(url.searchParams.get("key")) ?? [] }),
    });
  if (name === "POST /scripts") {
    const { key, answers } = JSON.parse(body);
    scripts.set(key, { answers, used: 0 });
    return send(response, { status: 201, body: "{}" });
  }
  return send(response, { status: 404 });
});
// A test that is busy would else ask what arrived on a connection that is just being closed.
server.keepAliveTimeout = 120_000;
server.listen(Number(process.env.WEBHOOK_RECEIVER_PORT ?? 0), "127.0.0.1", () => {
  console.log(JSON.stringify({ port: server.address().port }));
});
if (process.env.WEBHOOK_RECEIVER_UNTIL_STDIN_ENDS)
  process.stdin.resume().on("end", () => process.exit(0));

async function receive(request, response, url, bytes) {
  const body = bytes.toString("utf8");
  const key = url.pathname.split("/")[2] ?? "";
  const list = received.get(key) ?? [];
  list.push({
    at: Date.now(),
    method: request.method,
    path: url.pathname,
    headers: request.headers,
    body,
    body_base64: bytes.toString("base64"),
  });
  received.set(key, list);
  const script = scripts.get(key);
  const answer = script
    ? script.answers[Math.min(script.used++, script.answers.length - 1)]
    : { status: 204 };
  if (answer.mcp) return answerMcp(request, response, body, answer.mcp);
  if (answer.delay_ms) await new Promise((resolve) => setTimeout(resolve, answer.delay_ms));
  send(response, answer);
}

/** As a server of MCP over HTTP without sessions, which says whatever it was told to say. */
function answerMcp(request, response, text, { tools = [], result, error }) {
  if (request.method !== "POST") return send(response, { status: 405 });
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return send(response, { status: 202 });
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "receiver", version: "1" },
    }),
    "tools/list": () => ({ tools }),
    "tools/call": () => result,
  };
  const answer =
    method === "tools/call" && error ? { error } : { result: results[method]?.() ?? {} };
  send(response, {
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id, ...answer }),
  });
}

function send(response, { status, headers = {}, body, body_base64: base64 }) {
  response.writeHead(status, headers).end(base64 ? Buffer.from(base64, "base64") : body);
}
