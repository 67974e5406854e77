import { expect, test, vi } from "vitest";
import { z } from "zod";
import { discard, isLines, type Lines, toResponse } from "@/lib/api/http/answer";
import { type ApiSurface, answerRequest, dispatch } from "@/lib/api/http/dispatch";
import {
  declaredErrors,
  ndjson,
  type Operation,
  operation,
  type Reply,
} from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { testService } from "@/lib/platform/test/test-service";

testService({ CHECK_RESPONSES: "false" });

const HOST = { host: "api.example" };

/** An operation that says no more than it must. */
const PLAIN: Operation = operation({
  method: "GET",
  path: "/v1/things",
  operationId: "getThing",
  tag: "Things",
  summary: "",
  description: "",
  responses: [{ status: 200, description: "" }],
  errors: [],
  handle: async () => ({ status: 200, body: "{}" }),
});

const made = (more: Partial<Operation> = {}): Operation => ({ ...PLAIN, auth: "none", ...more });

function surfaceOf(operations: Operation[]): ApiSurface {
  const authenticate = () => Promise.reject(new Error("nobody is asked for"));
  return { router: new Router(operations), toPath: (path) => path, authenticate };
}

function linesOf(texts: string[]) {
  const ended = vi.fn();
  async function* run() {
    try {
      yield* texts;
    } finally {
      ended();
    }
  }
  const broken = new AbortController();
  const lines: Lines = Object.assign(run(), { broken: broken.signal });
  return { lines, ended, broken };
}

/** The headers and the body of the handler's answer, as they are sent. */
async function sentOf(reply: Reply, method = "GET") {
  const response = await dispatch(
    surfaceOf([made({ handle: async () => reply })]),
    new Request("http://api.example/v1/things", {
      method,
      headers: { ...HOST, "x-request-id": "r1" },
    }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}
const ALWAYS = { "x-request-id": "r1", "x-content-type-options": "nosniff" };

test("an answer is sent as given: JSON, ready text, nothing, lines or bytes", async () => {
  const type = { "content-type": "application/json; charset=utf-8" };
  expect(await sentOf({ status: 201, body: { a: "ü" }, headers: { Location: "/x" } })).toEqual({
    status: 201,
    headers: {
      ...ALWAYS,
      ...type,
      "cache-control": "no-store",
      "content-length": "10",
      location: "/x",
    },
    text: '{"a":"ü"}',
  });
  expect(
    await sentOf({
      status: 200,
      body: '{"b":1}',
      headers: { "Cache-Control": "public", "Content-Type": "application/schema+json" },
    }),
  ).toEqual({
    status: 200,
    headers: {
      ...ALWAYS,
      "content-type": "application/schema+json",
      "cache-control": "public",
      "content-length": "7",
    },
    text: '{"b":1}',
  });
  expect(await sentOf({ status: 204 })).toEqual({
    status: 204,
    headers: { ...ALWAYS, "cache-control": "no-store" },
    text: "",
  });
  const { lines, ended } = linesOf(["{}\n", "[]\n"]);
  expect(await sentOf(ndjson(lines))).toEqual({
    status: 200,
    headers: {
      ...ALWAYS,
      "content-type": "application/x-ndjson; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
    text: "{}\n[]\n",
  });
  expect(ended).toHaveBeenCalledOnce();
  const bytes = new Response("bytes", {
    status: 206,
    headers: { "content-type": "text/csv", "cache-control": "private" },
  });
  expect(await sentOf(bytes)).toEqual({
    status: 206,
    headers: { ...ALWAYS, "content-type": "text/csv", "cache-control": "private" },
    text: "bytes",
  });
});

test("HEAD is answered as GET without a body, and what would have been sent is ended", async () => {
  const head = await sentOf({ status: 200, body: { a: 1 } }, "HEAD");
  expect([head.status, head.headers["content-length"], head.text]).toEqual([200, "7", ""]);
  const { lines, ended } = linesOf(["{}\n"]);
  const stopped = vi.spyOn(lines, "return");
  expect((await sentOf(ndjson(lines), "HEAD")).text).toBe("");
  expect(stopped).toHaveBeenCalledOnce();
  expect(ended).not.toHaveBeenCalled();
  const cancel = vi.fn();
  expect((await sentOf(new Response(new ReadableStream({ cancel })), "HEAD")).text).toBe("");
  expect(cancel).toHaveBeenCalledOnce();
  const answer = await answerRequest(
    surfaceOf([made()]),
    new Request("http://api.example/v1/things", { headers: HOST }),
  );
  expect([answer.body, isLines(answer.body), isLines(null)]).toEqual(["{}", false, false]);
  for (const body of [null, "text"]) expect(() => discard(body)).not.toThrow();
});

test("a reader who leaves ends the lines; lines that nobody takes break off", async () => {
  const left = linesOf(["{}\n", "[]\n"]);
  const reader = toResponse({ status: 200, headers: {}, body: left.lines }).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("{}\n");
  await reader?.cancel();
  expect(left.ended).toHaveBeenCalledOnce();
  const stuck = linesOf(["{}\n", "[]\n", "1\n"]);
  const { body } = toResponse({ status: 200, headers: {}, body: stuck.lines });
  stuck.broken.abort(new Error("nobody takes any"));
  await expect(body?.getReader().read()).rejects.toThrow("nobody takes any");
});

test("an operation may answer with the codes of its own steps, and no others", () => {
  const codes = (more: Partial<Operation>) => declaredErrors(made(more));
  const always = ["RATE_LIMITED", "INTERNAL_ERROR"];
  expect(codes({})).toEqual(always);
  expect(codes({ errors: ["CONFLICT", "RUN_NOT_FOUND"] })).toEqual([
    "RUN_NOT_FOUND",
    "CONFLICT",
    ...always,
  ]);
  expect(codes({ auth: "account" })).toEqual([
    "AUTHENTICATION_REQUIRED",
    ...always,
    "SERVICE_UNAVAILABLE",
  ]);
  expect(codes({ superAgent: true })).toEqual(["SUPER_AGENT_ACCESS_DENIED", ...always]);
  expect(codes({ admin: true })).toEqual(["NOT_FOUND", ...always]);
  expect(codes({ creates: ["nothing"] })).toEqual(always);
  expect(codes({ creates: ["nothing", "agents"] })).toEqual(["CONFLICT", ...always]);
  for (const more of [{ params: z.object({}) }, { query: z.object({}) }])
    expect(codes(more)).toEqual(["INVALID_INPUT", ...always]);
  const ofBodies = ["INVALID_INPUT", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", ...always];
  for (const more of [{ body: z.object({}) }, { rawBody: {} }])
    expect(codes(more)).toEqual(ofBodies);
  expect(codes({ idempotent: true })).toEqual(["INVALID_INPUT", "IDEMPOTENCY_CONFLICT", ...always]);
});

test("an operation unsaid needs the least: a key, reading's budget, no right", () => {
  const { auth, budget, superAgent, admin, hourlyWrite, creates, idempotent, bodyOptional } = PLAIN;
  expect({
    auth,
    budget,
    superAgent,
    admin,
    hourlyWrite,
    creates,
    idempotent,
    bodyOptional,
  }).toEqual({
    auth: "account",
    budget: "read",
    superAgent: false,
    admin: false,
    hourlyWrite: false,
    creates: [],
    idempotent: false,
    bodyOptional: false,
  });
});

test("a path is found by fixed segments first, decoded, none missing or more", () => {
  const at = (path: string) => made({ path, operationId: path });
  const router = new Router(
    ["/v1/things/{id}/{part}", "/v1/things/{id}", "/v1/things/own"].map(at),
  );
  const find = (path: string) => {
    const match = router.find(path);
    return match && [match.operations.get("GET")?.operationId, match.params];
  };
  expect(find("/v1/things/own")).toEqual(["/v1/things/own", {}]);
  expect(find("/v1/things/a%20b")).toEqual(["/v1/things/{id}", { id: "a b" }]);
  expect(find("/v1/things/%E0%A4%A")).toEqual(["/v1/things/{id}", { id: "%E0%A4%A" }]);
  expect(find("/v1/things/x/y")).toEqual(["/v1/things/{id}/{part}", { id: "x", part: "y" }]);
  for (const none of ["/v1/things/", "/v1/things//y", "/v1/things/x/y/z", "/v2/things/x", "/v1"])
    expect(find(none), none).toBeNull();
});
