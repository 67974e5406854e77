import { expect, test, vi } from "vitest";
import { z } from "zod";
import type { ErrorCode } from "@/lib/model/errors";

/** What `/v1/things` answers through the dispatcher, with and without the check. */
async function answerOf(
  check: boolean,
  outcome: ErrorCode | { status: number; body: unknown },
): Promise<{ status: number; error: unknown }> {
  vi.resetModules();
  vi.stubEnv("CHECK_RESPONSES", String(check));
  const [{ dispatch }, { Router }, { operation }, { ServiceError }] = await Promise.all([
    import("@/lib/api/http/dispatch"),
    import("@/lib/api/http/router"),
    import("@/lib/api/http/operation"),
    import("@/lib/model/errors"),
  ]);
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
  const response = await dispatch(surface, new Request("http://localhost/v1/things"));
  vi.unstubAllEnvs();
  return { status: response.status, error: ((await response.json()) as { error?: unknown }).error };
}

test("in tests an undeclared code and an undescribed answer are failures of the service", async () => {
  expect(await answerOf(true, "RUN_NOT_FOUND")).toEqual({ status: 500, error: "INTERNAL_ERROR" });
  expect(await answerOf(true, { status: 201, body: { id: "1" } })).toEqual({ status: 500, error: "INTERNAL_ERROR" });
  expect(await answerOf(true, { status: 200, body: { id: 1 } })).toEqual({ status: 500, error: "INTERNAL_ERROR" });
});

test("what the document describes goes through", async () => {
  expect(await answerOf(true, "CONFLICT")).toEqual({ status: 409, error: "CONFLICT" });
  expect(await answerOf(true, { status: 200, body: { id: "1" } })).toEqual({ status: 200, error: undefined });
});

test("in production a gap in the document never changes an answer", async () => {
  expect(await answerOf(false, "RUN_NOT_FOUND")).toEqual({ status: 404, error: "RUN_NOT_FOUND" });
  expect(await answerOf(false, { status: 201, body: { id: 1 } })).toEqual({ status: 201, error: undefined });
});
