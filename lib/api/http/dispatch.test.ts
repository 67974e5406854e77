import { expect, test } from "vitest";
import { z } from "zod";
import { dispatch } from "@/lib/api/http/dispatch";
import { operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import type { Principal } from "@/lib/domain/principal";
import { type ErrorCode, ServiceError } from "@/lib/model/errors";
import { withService } from "@/lib/platform/test/test-service";

/** What `/v1/things` answers through the dispatcher, with and without the check. */
async function answerOf(
  check: boolean,
  outcome: ErrorCode | { status: number; body: unknown },
): Promise<{ status: number; error: unknown }> {
  const things = operation({
    method: "GET",
    path: "/v1/things",
    operationId: "getThings",
    tag: "Things",
    summary: "",
    description: "",
    auth: "none",
    responses: [{ status: 200 as number, description: "", schema: z.object({ id: z.string() }) }],
    errors: ["CONFLICT"],
    async handle() {
      if (typeof outcome === "string") throw new ServiceError(outcome, "no");
      return outcome;
    },
  });
  const surface = {
    router: new Router([things]),
    toPath: (path: string) => path,
    authenticate: () => Promise.reject(new Error("no key is asked for")),
  };
  const response = await withService({ CHECK_RESPONSES: String(check) }, () =>
    dispatch(surface, new Request("http://localhost/v1/things")),
  );
  return { status: response.status, error: ((await response.json()) as { error?: unknown }).error };
}

test("in tests undeclared codes and undescribed answers are failures of the service", async () => {
  expect(await answerOf(true, "RUN_NOT_FOUND")).toEqual({ status: 500, error: "INTERNAL_ERROR" });
  expect(await answerOf(true, { status: 201, body: { id: "1" } })).toEqual({
    status: 500,
    error: "INTERNAL_ERROR",
  });
  expect(await answerOf(true, { status: 200, body: { id: 1 } })).toEqual({
    status: 500,
    error: "INTERNAL_ERROR",
  });
});

test("what the document describes goes through", async () => {
  expect(await answerOf(true, "CONFLICT")).toEqual({ status: 409, error: "CONFLICT" });
  expect(await answerOf(true, { status: 200, body: { id: "1" } })).toEqual({
    status: 200,
    error: undefined,
  });
});

test("in production a gap in the document never changes an answer", async () => {
  expect(await answerOf(false, "RUN_NOT_FOUND")).toEqual({ status: 404, error: "RUN_NOT_FOUND" });
  expect(await answerOf(false, { status: 201, body: { id: 1 } })).toEqual({
    status: 201,
    error: undefined,
  });
});

/** How an operation of this method answers a principal. */
async function answerTo(
  method: "GET" | "POST",
  principal: Partial<Principal>,
  provenOnly?: boolean,
): Promise<unknown> {
  const [{ dispatch }, { Router }, { operation }] = await Promise.all([
    import("@/lib/api/http/dispatch"),
    import("@/lib/api/http/router"),
    import("@/lib/api/http/operation"),
  ]);
  const things = operation({
    method,
    path: "/v1/things",
    operationId: "things",
    tag: "Things",
    summary: "",
    description: "",
    auth: "session",
    ...(provenOnly !== undefined && { provenOnly }),
    creates: ["nothing"],
    responses: [{ status: 200, description: "", schema: z.object({}) }],
    errors: [],
    handle: async () => ({ status: 200, body: {} }),
  });
  const whole = {
    accountId: "",
    agentId: null,
    via: "session",
    userId: null,
    isAdmin: false,
    blocked: false,
    superAgentAccess: false,
  } as const;
  const surface = {
    router: new Router([things]),
    toPath: (path: string) => path,
    authenticate: async () => ({
      principal: { ...whole, writePerHour: null, ...principal },
      budget: null,
    }),
  };
  const response = await dispatch(surface, new Request("http://localhost/v1/things", { method }));
  return response.status === 200
    ? 200
    : [response.status, ((await response.json()) as { error?: unknown }).error];
}

test("an unproven account reads by its sessions, and does nothing by its keys", async () => {
  const forbidden = [403, "FORBIDDEN"];
  expect(await answerTo("GET", { unproven: true })).toBe(200);
  expect(await answerTo("GET", { unproven: true }, true)).toEqual(forbidden);
  expect(await answerTo("POST", { unproven: true })).toEqual(forbidden);
  expect(await answerTo("POST", { unproven: true }, false)).toBe(200);
  for (const method of ["GET", "POST"] as const)
    expect(await answerTo(method, { unproven: true, via: "key" })).toEqual(forbidden);
  expect(await answerTo("POST", { unproven: true, via: "key" }, false)).toEqual(forbidden);
  for (const method of ["GET", "POST"] as const)
    expect(await answerTo(method, { unproven: false, via: "key" })).toBe(200);
});

test("who lacks the required second factor reads, sets one up, changes nothing", async () => {
  expect(await answerTo("GET", { lacksSecondFactor: true })).toBe(200);
  expect(await answerTo("POST", { lacksSecondFactor: true })).toEqual([403, "FORBIDDEN"]);
  expect(await answerTo("POST", { lacksSecondFactor: true }, false)).toBe(200);
});
