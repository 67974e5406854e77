import { expect, test } from "vitest";
import { z } from "zod";
import { checkReply, undeclaredAsFailure } from "@/lib/api/http/dispatch";
import { operation } from "@/lib/api/http/operation";
import { ServiceError } from "@/lib/model/errors";

const made = operation({
  method: "POST",
  path: "/v1/things",
  operationId: "createThing",
  tag: "Things",
  summary: "",
  description: "",
  responses: [
    {
      status: 201,
      description: "",
      schema: z.object({ id: z.string() }),
      headers: ["Location", "Idempotency-Replayed"],
    },
    { status: 200, description: "", schema: z.object({}), contentType: "application/x-ndjson" },
    { status: 204, description: "" },
  ],
  errors: ["CONFLICT"],
  handle: async () => ({ status: 204 }),
});
const location = { Location: "/v1/things/1" };

test("an answer the operation describes passes, as JSON, as a stream and without a body", () => {
  checkReply(made, { status: 201, body: { id: "1" }, headers: location });
  checkReply(made, { status: 201, body: '{"id":"1"}', headers: location });
  checkReply(
    made,
    new Response("{}\n", { headers: { "content-type": "application/x-ndjson; charset=utf-8" } }),
  );
  checkReply(made, { status: 204 });
});

test("another status, media type or body, and a header that is missing, fail", () => {
  expect(() => checkReply(made, { status: 202, body: { id: "1" } })).toThrow("no answer 202");
  expect(() => checkReply(made, { status: 204, body: {} })).toThrow(
    "no answer 204 application/json",
  );
  expect(() =>
    checkReply(made, new Response("{}", { headers: { "content-type": "text/plain" } })),
  ).toThrow("no answer 200 text/plain");
  expect(() => checkReply(made, { status: 201, body: { id: 1 }, headers: location })).toThrow(
    "another body",
  );
  expect(() => checkReply(made, { status: 201, body: { id: "1" } })).toThrow("without Location");
});

test("a refusal needs a declared code; what reached no operation passes", () => {
  const refusal = (code: ConstructorParameters<typeof ServiceError>[0]) =>
    new ServiceError(code, "no");
  for (const code of ["CONFLICT", "AUTHENTICATION_REQUIRED", "RATE_LIMITED"] as const) {
    const error = refusal(code);
    expect(undeclaredAsFailure(made, error)).toBe(error);
  }
  expect(undeclaredAsFailure(made, refusal("RUN_NOT_FOUND"))).not.toBeInstanceOf(ServiceError);
  expect(undeclaredAsFailure(null, refusal("NOT_FOUND"))).toBeInstanceOf(ServiceError);
});
