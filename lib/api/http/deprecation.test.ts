import { expect, test } from "vitest";
import { z } from "zod";
import { noticeDays, SUNSET_LEAST_DAYS } from "@/lib/api/http/deprecation";
import { dispatch } from "@/lib/api/http/dispatch";
import { type Operation, operation } from "@/lib/api/http/operation";
import { Router } from "@/lib/api/http/router";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { ServiceError } from "@/lib/model/errors";

const DEPRECATION = { since: "2027-01-01", sunset: "2027-07-01", advice: "Use `listThings`." };

function thing(path: string, deprecation?: Operation["deprecation"]): Operation {
  return operation({
    method: "GET",
    path,
    operationId: `get${path.split("/").at(-1)}`,
    tag: "Agents",
    summary: "A thing",
    description: "One.",
    auth: "none",
    ...(deprecation && { deprecation }),
    query: z.object({ fail: z.string().optional() }),
    responses: [{ status: 200, description: "It.", schema: z.object({ id: z.string() }) }],
    errors: ["CONFLICT"],
    async handle({ query }) {
      if (query.fail !== undefined) throw new ServiceError("CONFLICT", "no");
      return { status: 200, body: { id: "1" } };
    },
  });
}

const operations = [thing("/v1/old", DEPRECATION), thing("/v1/new")];

async function headersOf(path: string): Promise<Headers> {
  const surface = {
    router: new Router(operations),
    toPath: (pathname: string) => pathname,
    authenticate: () => Promise.reject(new Error("no key is asked for")),
  };
  return (await dispatch(surface, new Request(`http://localhost${path}`))).headers;
}

test("deprecated operations alone say since and until when, refusals too", async () => {
  for (const path of ["/v1/old", "/v1/old?fail=1"]) {
    const headers = await headersOf(path);
    expect(headers.get("deprecation")).toBe(`@${Date.UTC(2027, 0, 1) / 1000}`);
    expect(headers.get("sunset")).toBe("Thu, 01 Jul 2027 00:00:00 GMT");
    expect(headers.get("link")).toContain('rel="deprecation"');
  }
  expect((await headersOf("/v1/new")).has("deprecation")).toBe(false);
});

test("the document marks it, names its end and says what to use in its place", () => {
  const paths = openapiDocument([...V1_OPERATIONS, ...operations]).paths;
  expect(paths?.["/v1/old"]?.get).toMatchObject({ deprecated: true, "x-sunset": "2027-07-01" });
  expect(paths?.["/v1/old"]?.get?.description).toContain("Use `listThings`.");
  expect(Object.keys(paths?.["/v1/old"]?.get?.responses?.[200]?.headers ?? {})).toEqual(
    expect.arrayContaining(["Deprecation", "Sunset"]),
  );
  expect(paths?.["/v1/new"]?.get).not.toHaveProperty("deprecated");
});

test("whoever uses an operation that goes away has half a year at least to move on", () => {
  expect(noticeDays(DEPRECATION)).toBe(181);
  for (const { operationId, deprecation } of V1_OPERATIONS) {
    if (deprecation)
      expect(noticeDays(deprecation), operationId).toBeGreaterThanOrEqual(SUNSET_LEAST_DAYS);
  }
});
