import type { ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import {
  type AppEvent,
  createBrowserClient,
  LatheApiError,
  newReading,
  readEvent,
} from "./browser";
import { fakeClock } from "./test/clocks";
import { RUN_ID, type StubRequest, sendJson, startStubServer } from "./test/stub-service";

const AT = "2026-01-01T00:00:00.000Z";
const line = (sequenceNumber: number) => ({ sequenceNumber, runId: RUN_ID, createdAt: AT });
const LOG = [
  {
    type: "run.created",
    ...line(0),
    renderProtocol: 1,
    status: "pending",
    agentId: null,
    conversationId: "c",
  },
  { type: "message.created", ...line(1), messageId: "m", role: "assistant" },
  { type: "output_text.delta", ...line(2), messageId: "m", delta: "Grüße " },
  { type: "output_text.delta", ...line(3), messageId: "m", delta: "🌍" },
  {
    type: "run.completed",
    ...line(4),
    status: "completed",
    result: { text: "Grüße 🌍", artifacts: [] },
    usage: { credits: 0, breakdown: [] },
    agentId: null,
  },
] satisfies AppEvent[];

/**
 * A service that takes tokens `t1`, `t2`, … as `takes` says, and answers the rest as `answer` does.
 */
async function world(
  answer: (request: StubRequest, response: ServerResponse) => void,
  takes: (token: string) => boolean = () => true,
) {
  const stub = await startStubServer((request, response) =>
    takes(String(request.headers.authorization).replace("Bearer ", ""))
      ? answer(request, response)
      : sendJson(response, 401, { error: "AUTHENTICATION_REQUIRED", message: "no" }),
  );
  let made = 0;
  const clock = fakeClock();
  const client = createBrowserClient(
    {
      baseUrl: stub.url,
      agentId: "a/1",
      getToken: async () => {
        made += 1;
        const expires_at = new Date(clock.now() + 60_000).toISOString();
        return { token: `t${made}`, expires_at };
      },
    },
    clock,
  );
  return { client, clock, requests: stub.requests, made: () => made };
}

const after = ({ path }: StubRequest) =>
  Number(new URL(path, "http://x").searchParams.get("startingAfter"));
const bytesOf = (events: AppEvent[]) =>
  Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));

test("what a page loads is at most 10 KB, has no imports, and names no secret", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("browser.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    metafile: true,
    write: false,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  const text = new TextDecoder().decode(bytes);
  expect(text).toContain("/api/v1/apps/");
  expect(gzipSync(bytes).length).toBeLessThanOrEqual(10 * 1024);
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  expect(text).not.toMatch(/svc_sk_|appapi_|LATHE_API_KEY|process\.env/);
});

test("a run is started and read to its end over connections that break amid a letter", async () => {
  let cuts = 0;
  const { client } = await world((request, response) => {
    if (request.method === "POST") return sendJson(response, 202, { runId: RUN_ID });
    if (!request.path.includes("/events")) return sendJson(response, 200, { status: "running" });
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const rest = bytesOf(LOG.slice(after(request) + 1));
    cuts += 1;
    // Each connection brings a line and a piece of the next one, the last all.
    if (cuts > 4) return void response.end(rest);
    response.write(rest.subarray(0, rest.indexOf("\n") + 60), () => response.destroy());
  });
  const { runId } = await client.runs.start({ request: "Greet." });
  const read: AppEvent[] = [];
  let reading = newReading();
  for await (const event of client.runs.events(runId)) {
    read.push(event);
    reading = readEvent(reading, event);
  }
  expect(read).toEqual(LOG);
  expect(reading).toMatchObject({ status: "completed", text: "Grüße 🌍", conversationId: "c" });
});

test("the token is asked for once for all who wait, and anew when refused", async () => {
  let good = "t1";
  const { client, made } = await world(
    (_, response) => sendJson(response, 200, { runId: RUN_ID }),
    (token) => token === good,
  );
  await Promise.all([client.runs.get("a"), client.runs.get("b"), client.runs.get("c")]);
  expect(made()).toBe(1);
  good = "t2";
  await Promise.all([client.runs.get("a"), client.runs.get("b")]);
  expect(made()).toBe(2);
  good = "none";
  await expect(client.runs.get("a")).rejects.toMatchObject({ status: 401 });
  expect(made()).toBe(3);
});

test("a token is replaced before its end, under a wrong clock twice a minute", async () => {
  const { client, clock, made } = await world((_, response) => sendJson(response, 200, {}));
  await client.runs.get("a");
  await clock.sleep(40_000);
  await client.runs.get("a");
  expect(made()).toBe(1);
  await clock.sleep(10_000);
  await client.runs.get("a");
  expect(made()).toBe(2);
});

test("a start is tried again under one key; a refusal is told at once, with its code", async () => {
  let tries = 0;
  const { client, requests } = await world((request, response) => {
    tries += 1;
    if (request.body.includes("bad"))
      return sendJson(response, 403, { error: "FORBIDDEN", message: "not yours" });
    if (tries < 3) return void response.destroy();
    sendJson(response, 202, { runId: RUN_ID });
  });
  expect(await client.runs.start({ request: "x" })).toEqual({ runId: RUN_ID });
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(requests[0]?.path).toBe("/api/v1/apps/a%2F1/runs");
  const refused = client.runs.start({ bad: true });
  await expect(refused).rejects.toBeInstanceOf(LatheApiError);
  await expect(refused).rejects.toMatchObject({ code: "FORBIDDEN", status: 403 });
  expect(requests).toHaveLength(4);
});

test("tool results that may have arrived are not sent a second time", async () => {
  const { client, requests } = await world((_, response) => void response.destroy());
  await expect(
    client.runs.submitToolResults(RUN_ID, [{ toolCallId: "c", output: 1 }]),
  ).rejects.toThrow("the connection failed");
  expect(requests).toHaveLength(1);
});

test("a run whose events are no longer kept ends without any", async () => {
  const { client } = await world((request, response) => {
    if (!request.path.includes("/events")) return sendJson(response, 200, { status: "completed" });
    response.writeHead(200, { "content-type": "application/x-ndjson" }).end();
  });
  const read: AppEvent[] = [];
  for await (const event of client.runs.events(RUN_ID)) read.push(event);
  expect(read).toEqual([]);
});

test("a reading follows tools and decisions, drops vain words, tells ends apart", () => {
  const read = (events: AppEvent[]) => events.reduce(readEvent, newReading());
  const message = (at: number): AppEvent => ({
    type: "message.created",
    ...line(at),
    messageId: `m${at}`,
    role: "assistant",
  });
  const text = (at: number, delta: string): AppEvent => ({
    type: "output_text.delta",
    ...line(at),
    messageId: "m",
    delta,
  });
  const call = { toolCallId: "c", name: "pay" };
  const asked = { approvalId: "p", toolName: "pay", summary: "pay 5" };
  const waiting = [
    message(0),
    text(1, "in vain"),
    message(2),
    text(3, "I pay."),
    { type: "tool.started", ...line(4), ...call },
    { type: "approval.requested", ...line(5), ...asked },
  ] satisfies AppEvent[];
  expect(read(waiting)).toMatchObject({
    text: "I pay.",
    tools: [{ ...call, status: "running" }],
    approval: asked,
    lastSequenceNumber: 5,
  });
  const error = (code: "RUN_CANCELLED" | "TIMEOUT") => ({ code, message: "over" });
  const ended = (code: "RUN_CANCELLED" | "TIMEOUT") =>
    read([
      ...waiting,
      { type: "run.failed", ...line(6), status: "failed", error: error(code) },
    ] as AppEvent[]);
  expect([ended("RUN_CANCELLED").status, ended("TIMEOUT").status]).toEqual(["cancelled", "failed"]);
  expect(ended("TIMEOUT").approval).toBeNull();
});
