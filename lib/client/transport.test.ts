import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createClient, LatheApiError, LatheConnectionError } from "./lathe-client";
import { abortingClock, fakeClock } from "./test/clocks";
import {
  RUN_ID,
  type StubRequest,
  sampleRun,
  sendJson,
  startStubServer,
} from "./test/stub-service";

type Answer = (response: ServerResponse, request: StubRequest) => void;

const WORKSPACE = { name: "w" };
const json =
  (status: number, body: unknown, headers?: Record<string, string>) => (response: ServerResponse) =>
    sendJson(response, status, body, headers);
const failing = (
  status: number,
  code: string,
  headers?: Record<string, string>,
  more: object = {},
) => json(status, { error: code, message: "No.", ...more }, headers);
const broken = (response: ServerResponse) => response.destroy();
const hanging = () => undefined;
/** Breaks off in the middle of the body. */
const half = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"credits":', () => response.destroy());
};

/** A client whose service gives these answers in turn; the last one repeats. */
async function clientWith(
  answers: Answer[],
  options: { maxRetries?: number; timeoutMs?: number } = {},
) {
  const clock = fakeClock();
  const stub = await startStubServer((request, response) =>
    (answers[stub.requests.length - 1] ?? answers.at(-1))?.(response, request),
  );
  const client = createClient(
    { apiKey: "svc_sk_test", baseUrl: `${stub.url}/`, ...options },
    clock,
  );
  return { client, clock, requests: stub.requests };
}

const caught = (promise: Promise<unknown>) =>
  promise.then(() => null).catch((error: unknown) => error);

test("a request carries the key, and its answer is the body", async () => {
  const { client, requests } = await clientWith([json(200, { credits: { available: 3 } })]);
  expect((await client.get("/v1/account/usage")).credits.available).toBe(3);
  expect(requests).toMatchObject([
    { method: "GET", path: "/v1/account/usage", headers: { authorization: "Bearer svc_sk_test" } },
  ]);
});

test("filters by metadata and lists of statuses are sent as the service reads them", async () => {
  const { client, requests } = await clientWith([
    json(200, { data: [], has_more: false, next_cursor: null }),
  ]);
  await client.get("/v1/runs", {
    params: { query: { status: "failed,running", metadata: { "a b": "c&d" } } },
  });
  expect(Object.fromEntries(new URL(requests[0]?.path ?? "", "http://stub").searchParams)).toEqual({
    status: "failed,running",
    "metadata[a b]": "c&d",
  });
});

test("an error answer is thrown with all that it says, at once", async () => {
  const details = [{ path: "input.topic", message: "is missing" }];
  const { client, requests } = await clientWith([failing(400, "INVALID_INPUT", {}, { details })]);
  const error = await caught(client.runs.create({ input: {} }));
  expect(error).toBeInstanceOf(LatheApiError);
  expect(error).toMatchObject({
    status: 400,
    code: "INVALID_INPUT",
    message: "400 INVALID_INPUT: No.",
    details,
    requestId: "req_1",
    retryAfter: null,
  });
  expect(error).toMatchObject({ body: { error: "INVALID_INPUT" } });
  expect(requests).toHaveLength(1);
});

test("what another server answers in the service's place is told from its errors", async () => {
  const page: Answer = (response) =>
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  const { client } = await clientWith([page], { maxRetries: 0 });
  expect(await caught(client.get("/v1/account"))).toMatchObject({
    status: 502,
    code: "UNEXPECTED_ANSWER",
    body: "<h1>Bad gateway</h1>",
  });
  const { client: lost } = await clientWith([
    (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  ]);
  expect(await caught(lost.get("/v1/account"))).toBeInstanceOf(LatheConnectionError);
});

test("a redirect is not followed, so that the key goes nowhere else", async () => {
  const { client, requests } = await clientWith([
    (response) => response.writeHead(308, { location: "/v1/elsewhere" }).end(),
  ]);
  expect(await caught(client.get("/v1/account"))).toMatchObject({
    status: 308,
    code: "UNEXPECTED_ANSWER",
  });
  expect(requests).toHaveLength(1);
});

for (const [name, answer] of [
  ["502", failing(502, "X")],
  ["503", failing(503, "SERVICE_UNAVAILABLE")],
  ["504 of a proxy", (response: ServerResponse) => void response.writeHead(504).end("no JSON")],
  ["a broken connection", broken],
  ["an answer that breaks off in its middle", half],
] as const) {
  test(`${name}: what is safe to repeat is repeated with backoff, all else is not`, async () => {
    const usage = await clientWith([answer, answer, json(200, { credits: { available: 1 } })]);
    expect((await usage.client.get("/v1/account/usage")).credits.available).toBe(1);
    expect(usage.clock.slept).toEqual([250, 500]);
    const removal = await clientWith([answer, (response) => void response.writeHead(204).end()]);
    expect(
      await removal.client.delete("/v1/secrets/{name}", { params: { path: { name: "A" } } }),
    ).toBeUndefined();
    const unsafe = await clientWith([answer]);
    expect(await caught(unsafe.client.post("/v1/workspaces", { body: WORKSPACE }))).toBeInstanceOf(
      Error,
    );
    expect(
      await caught(
        unsafe.client.patch("/v1/workspaces/{workspace_id}", {
          params: { path: { workspace_id: RUN_ID } },
          body: {},
        }),
      ),
    ).toBeInstanceOf(Error);
    expect(await caught(unsafe.client.runs.cancel(RUN_ID))).toBeInstanceOf(Error);
    expect(unsafe.requests).toHaveLength(3);
  });
}

test("every start has its own key, the same over its tries, with the same body", async () => {
  const { client, requests } = await clientWith([
    failing(503, "SERVICE_UNAVAILABLE"),
    broken,
    json(202, sampleRun()),
  ]);
  await client.runs.create({ input: { text: "ä" } });
  const [first, second, third] = requests.map(({ headers, body }) => ({
    key: headers["idempotency-key"],
    body,
  }));
  expect(first?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect([second, third]).toEqual([first, first]);
  expect(first?.body).toBe('{"input":{"text":"ä"}}');
  await client.agents.create({ input: "An agent." });
  await client.agents.edit(RUN_ID, { input: "Change." });
  await client.superAgentRuns.create({ input: {} });
  const keys = requests.slice(2).map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(4);
  expect(keys).not.toContain(undefined);
});

test("a key of one's own is used as it is, and other requests carry none", async () => {
  const { client, requests } = await clientWith([json(202, sampleRun())]);
  await client.runs.create({ input: {} }, { idempotencyKey: "order-7" });
  await client.post("/v1/workspaces", { body: WORKSPACE });
  expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["order-7", undefined]);
});

test("a start whose first try was lost waits while that try is still being accepted", async () => {
  const { client, requests } = await clientWith([
    broken,
    failing(409, "IDEMPOTENCY_CONFLICT"),
    json(202, sampleRun()),
  ]);
  expect((await client.runs.create({ input: {} })).run_id).toBe(RUN_ID);
  expect(requests).toHaveLength(3);
});

test("a conflict that no lost try explains is not repeated", async () => {
  for (const answers of [
    [failing(409, "IDEMPOTENCY_CONFLICT")],
    [broken, failing(409, "CONVERSATION_BUSY")],
  ]) {
    const { client, requests } = await clientWith(answers);
    expect(await caught(client.runs.create({ input: {} }))).toMatchObject({ status: 409 });
    expect(requests).toHaveLength(answers.length);
  }
});

for (const [name, headers, body, expected] of [
  ["seconds", { "retry-after": "7" }, {}, 7_500],
  ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:12 GMT" }, {}, 12_500],
  ["a date that is past", { "retry-after": "Thu, 01 Jan 2015 00:00:00 GMT" }, {}, 500],
  ["the body's seconds", {}, { retryAfterSeconds: 9 }, 9_500],
  ["nothing that can be read", { "retry-after": "soon" }, {}, 250],
] as const) {
  test(`429 is followed for every method, by Retry-After as ${name}`, async () => {
    const limited = failing(429, "RATE_LIMITED", headers, body);
    const { client, clock, requests } = await clientWith([
      limited,
      json(201, { workspace_id: RUN_ID }),
    ]);
    await client.post("/v1/workspaces", { body: WORKSPACE });
    expect(clock.slept).toEqual([expected]);
    expect(requests.map((request) => request.body)).toEqual(['{"name":"w"}', '{"name":"w"}']);
  });
}

test("a Retry-After that is longer than the caller can be held is thrown at once", async () => {
  const { client, clock } = await clientWith([
    failing(429, "RATE_LIMITED", { "retry-after": "3000" }, { retryAfterSeconds: 3000 }),
  ]);
  expect(await caught(client.get("/v1/account"))).toMatchObject({
    status: 429,
    code: "RATE_LIMITED",
    retryAfter: 3000,
  });
  expect(clock.slept).toEqual([]);
});

test("retries end: the last answer is the one that is thrown", async () => {
  const { client, clock, requests } = await clientWith([failing(503, "SERVICE_UNAVAILABLE")], {
    maxRetries: 5,
  });
  expect(await caught(client.get("/v1/account"))).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(clock.slept).toEqual([250, 500, 1000, 2000, 4000]);
  expect(requests).toHaveLength(6);
});

test("an upload is sent once, whatever becomes of it", async () => {
  const { client, requests } = await clientWith([
    failing(429, "RATE_LIMITED", { "retry-after": "1" }),
  ]);
  const form = new FormData();
  form.set("file", new Blob(["bytes"]), "a.txt");
  const params = { path: { workspace_id: RUN_ID } };
  const upload = client.post("/v1/workspaces/{workspace_id}/files", {
    params,
    body: { file: "" },
    bodySerializer: () => form,
  });
  expect(await caught(upload)).toMatchObject({ status: 429 });
  expect(requests).toHaveLength(1);
  expect(requests[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
});

test("a service that does not answer is given up in time", async () => {
  const { client } = await clientWith([hanging], { maxRetries: 0, timeoutMs: 30 });
  const error = await caught(client.get("/v1/account"));
  expect(error).toBeInstanceOf(LatheConnectionError);
  expect(error).toMatchObject({ message: "GET /v1/account: no answer within 30 ms" });
});

test("a signal ends a request, unsent or half-way, for its reason, for good", async () => {
  const controller = new AbortController();
  const { client, requests } = await clientWith([() => controller.abort(new Error("enough"))]);
  expect(await caught(client.get("/v1/account", { signal: controller.signal }))).toMatchObject({
    message: "enough",
  });
  expect(await caught(client.get("/v1/account", { signal: controller.signal }))).toMatchObject({
    message: "enough",
  });
  expect(requests).toHaveLength(1);
});

test("a signal ends the wait before a retry", async () => {
  const controller = new AbortController();
  const stub = await startStubServer((_, response) =>
    sendJson(response, 429, { error: "RATE_LIMITED", message: "" }, { "retry-after": "50" }),
  );
  const client = createClient({ apiKey: "k", baseUrl: stub.url }, abortingClock(controller));
  expect(await caught(client.get("/v1/account", { signal: controller.signal }))).toMatchObject({
    message: "enough",
  });
});

test("what cannot be a key or an address is refused before anything is sent", () => {
  for (const apiKey of ["", "a b", "a\nb", "schlüssel"])
    expect(() => createClient({ apiKey, baseUrl: "http://a" })).toThrow(TypeError);
  for (const baseUrl of ["", "lathe.example.com", "ftp://a"])
    expect(() => createClient({ apiKey: "k", baseUrl })).toThrow(TypeError);
});
