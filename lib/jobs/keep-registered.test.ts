import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { engineCondition, engineState } from "@/lib/engine/engine-state";
import { inngest } from "@/lib/engine/server/inngest-client";
import { engineEndpoint } from "@/lib/jobs/engine-endpoint";
import { functions } from "@/lib/jobs/functions";
import { keepRegistered } from "@/lib/jobs/start-service";
import { TEST_VARIABLES } from "@/lib/platform/test/test-service";
import { createService, holdService, type Service, type Variables } from "@/lib/service";

// Against a server of the test's own that answers as an Inngest server does; `npm run test:inngest`
// has a real one.
const KEY = "0123456789abcdef0123456789abcdef";
const HASHED = createHash("sha256").update(Buffer.from(KEY, "hex")).digest("hex");

let server: Server;
let origin: string;
let stop = async () => {};
let service: Service;
let release: () => void;
/** What the server keeps, and whether it does as it is told. */
let registered: unknown[] = [];
let registrations: { url: string; functions: unknown[] }[] = [];
let isBroken = false;

beforeEach(async () => {
  [registered, registrations, isBroken] = [[], [], false];
  onForgotten.mockClear();
  server = createServer(async (request, response) => {
    const body = await textOf(request);
    const answer = (status: number, value: unknown) =>
      response.writeHead(status).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${HASHED}`)
      return answer(401, "Authentication failed");
    if (isBroken) return answer(500, { error: "no room" });
    if (request.method === "GET" && request.url === "/v1/apps/lathe/functions")
      return answer(200, registered);
    if (request.method === "POST" && request.url === "/fn/register") {
      const sent = JSON.parse(body) as (typeof registrations)[number];
      registrations.push(sent);
      registered = sent.functions;
      return answer(200, { ok: true, modified: true });
    }
    answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has an address with a port.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  serve({});
});
afterEach(async () => {
  await stop();
  await service.close();
  release();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The service from here on, with this server and these settings. */
function serve(settings: Variables): void {
  service = createService({
    ...TEST_VARIABLES,
    LOG_LEVEL: "silent",
    INNGEST_EVENT_KEY: "event-key",
    INNGEST_SIGNING_KEY: KEY,
    INNGEST_BASE_URL: origin,
    PUBLIC_URL: "https://lathe.example.com",
    ...settings,
  });
  release = holdService(service);
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => resolve(text));
  });
}

/** Has the work that a server has lost begun again. */
const onForgotten = vi.fn(async () => {});

function start() {
  const keeper = keepRegistered({ everyMs: 20, firstMs: 0, retryMs: 20, onForgotten });
  stop = keeper.stop;
  return {
    becomes: (condition: string) => expect.poll(engineCondition, { interval: 10 }).toBe(condition),
  };
}

test("a process registers its functions by its public address once, if known", async () => {
  registered = ["those of an older version"];
  const { becomes } = start();
  await becomes("ok");
  const asked = vi.fn();
  server.on("request", asked);
  await expect.poll(() => asked.mock.calls.length, { interval: 10 }).toBeGreaterThan(3);
  expect(onForgotten).not.toHaveBeenCalled();
  expect(registrations).toEqual([
    expect.objectContaining({
      url: expect.stringMatching(/^https:\/\/lathe\.example\.com\/api\/inngest/),
    }),
  ]);
  // Those with an end of their own for failures have two.
  expect(registrations[0]?.functions.length).toBeGreaterThanOrEqual(functions.length);
});

test("a server that forgot the functions is told them again, and begins anew once", async () => {
  const { becomes } = start();
  await becomes("ok");
  onForgotten.mockClear();
  registered = [];
  await expect.poll(() => registrations.length, { interval: 10 }).toBe(2);
  await becomes("ok");
  await expect.poll(() => onForgotten.mock.calls.length, { interval: 10 }).toBe(1);
  onForgotten.mockRejectedValueOnce(new Error("no database"));
  registered = [];
  await expect.poll(() => registrations.length, { interval: 10 }).toBe(3);
  await becomes("ok");
  await expect.poll(() => onForgotten.mock.calls.length, { interval: 10 }).toBe(2);
});

test("a server away, broken or of another key is told apart, and found once back", async () => {
  isBroken = true;
  const { becomes } = start();
  await becomes("away");
  isBroken = false;
  await becomes("ok");
  isBroken = true;
  await becomes("away");
});

test("another signing key than the server's is said to be refused", async () => {
  release();
  serve({ INNGEST_SIGNING_KEY: "ffffffffffffffffffffffffffffffff" });
  await start().becomes("refused");
  expect(registrations).toEqual([]);
});

test("while the process ends no call is taken and no result sent: it comes back", async () => {
  const endpoint = engineEndpoint();
  const text = JSON.stringify({
    ctx: { run_id: "r", attempt: 0 },
    event: { data: {} },
    events: [],
    steps: {},
  });
  const call = () =>
    endpoint?.handle(
      new Request("http://localhost/api/inngest?fnId=nothing&stepId=step", {
        method: "POST",
        headers: { "content-type": "application/json", "x-inngest-signature": signatureOf(text) },
        body: text,
      }),
    );
  expect((await call())?.status).not.toBe(503);
  engineState().isStopping = true;
  expect((await call())?.status).toBe(503);
  await endpoint?.idle();
  const asked = vi.fn();
  server.on("request", asked);
  // The SDK's own call, by the fetch that it was given.
  const checkpoint = (inngest() as unknown as { fetch: typeof fetch }).fetch(
    `${origin}/v1/checkpoint/r/async`,
    { method: "POST" },
  );
  expect((await checkpoint).status).toBe(503);
  expect(asked).not.toHaveBeenCalled();
});

function signatureOf(text: string): string {
  const second = String(Math.floor(Date.now() / 1000));
  return `t=${second}&s=${createHmac("sha256", KEY).update(text).update(second).digest("hex")}`;
}
