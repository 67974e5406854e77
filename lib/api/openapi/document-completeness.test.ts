import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { oas31 } from "zod-openapi";
import { appSurface } from "@/lib/api/apps/app-surface";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { declaredErrors } from "@/lib/api/http/operation";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS, V1_OPERATIONS_BY_NOUN } from "@/lib/api/v1/operations";
import { models } from "@/lib/domain/models/models";
import { ERROR_STATUS, type ErrorCode } from "@/lib/model/errors";
import { RUN_FAILURE_CODES } from "@/lib/model/run/run-failure";

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS];
// As it is served: what JSON cannot say is gone.
const DOCUMENT: oas31.OpenAPIObject = JSON.parse(JSON.stringify(openapiDocument(OPERATIONS)));
const SCHEMAS = DOCUMENT.components?.schemas ?? {};
const METHODS = ["get", "post", "put", "patch", "delete"] as const;

const operations = Object.entries(DOCUMENT.paths ?? {}).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
);

test("every path of the document is served by its noun's route file, by its methods", async () => {
  const nouns = readdirSync("app/v1");
  expect(nouns.filter((noun) => noun !== "[[...path]]").sort()).toEqual(
    Object.keys(V1_OPERATIONS_BY_NOUN).sort(),
  );
  for (const noun of nouns) {
    const [file = ""] = readdirSync(`app/v1/${noun}`, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith("route.ts"),
    );
    const handlers = (await import(`../../../app/v1/${noun}/${file}`)) as Record<
      string,
      (request: Request) => Promise<Response>
    >; // what Next asks for
    const paths = new Set(
      operations.map(({ path }) => path).filter((path) => path.startsWith("/v1/")),
    );
    expect(paths.size).toBeGreaterThan(40);
    for (const path of paths) {
      // A method that nobody has is refused with those that are there; where there is no path, it
      // is not found.
      const answer = await handlers.OPTIONS?.(
        new Request(`http://localhost${path}`, { method: "OPTIONS" }),
      );
      const isOwn = path.split("/")[2] === noun;
      const documented = operations
        .filter((entry) => entry.path === path)
        .map(({ method }) => method.toUpperCase());
      const allowed = answer?.headers.get("allow")?.split(", ").sort() ?? null;
      expect([noun, path, answer?.status, allowed]).toEqual([
        noun,
        path,
        isOwn ? 405 : 404,
        isOwn ? documented.sort() : null,
      ]);
    }
  }
});

test("every path of an app has the methods that its surface routes, and no others", () => {
  const paths = new Set(
    operations.map(({ path }) => path).filter((path) => path.startsWith("/api/")),
  );
  expect(paths.size).toBeGreaterThan(1);
  for (const path of paths) {
    const routed = [...(appSurface.router.find(path)?.operations.keys() ?? [])].map((method) =>
      method.toLowerCase(),
    );
    const documented = operations
      .filter((entry) => entry.path === path)
      .map((entry) => entry.method);
    expect(documented.sort(), path).toEqual(routed.sort());
  }
});

test("operation ids are unique, and every operation has a tag that is described", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = new Set(DOCUMENT.tags?.map(({ name }) => name));
  for (const { operation } of operations)
    expect(
      operation.tags?.every((tag) => tags.has(tag)),
      operation.operationId,
    ).toBe(true);
  expect(
    [...tags].filter((tag) => !operations.some(({ operation }) => operation.tags?.includes(tag))),
  ).toEqual([]);
});

test("every operation names each code that it may answer, under its status", () => {
  for (const { operation } of operations) {
    const source = OPERATIONS.find(({ operationId }) => operationId === operation.operationId);
    if (!source) throw new Error(`no operation ${operation.operationId}`);
    const named = Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
      codesOf(response).map((code) => [code, Number(status)]),
    );
    expect(named.sort(), operation.operationId).toEqual(
      declaredErrors(source)
        .map((code) => [code, ERROR_STATUS[code]])
        .sort(),
    );
  }
});

test("every operation that may start a run names what each start may be refused", () => {
  const starts = OPERATIONS.filter(({ budget }) => budget === "run");
  expect(starts.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(["createRun", "sendMessage", "sendSuperAgentMessage", "sendAppMessage"]),
  );
  for (const operation of starts)
    expect(declaredErrors(operation), operation.operationId).toEqual(
      expect.arrayContaining(["INSUFFICIENT_CREDITS", "ACCOUNT_BLOCKED", "SERVICE_UNAVAILABLE"]),
    );
});

test("every code of the table, and no other, has a body in the document", () => {
  const table = Object.keys(ERROR_STATUS).sort();
  expect((SCHEMAS.ErrorCode as oas31.SchemaObject).enum?.toSorted()).toEqual(table);
  const unrouted = Object.entries(
    DOCUMENT["x-unrouted-responses"] as Record<string, oas31.ResponseObject>,
  );
  expect(unrouted.map(([status, response]) => [status, ...codesOf(response)])).toEqual([
    ["403", "FORBIDDEN"],
    ["404", "NOT_FOUND"],
    ["405", "METHOD_NOT_ALLOWED"],
  ]);
  const used = operations.flatMap(({ operation }) =>
    Object.values(operation.responses ?? {}).flatMap(codesOf),
  );
  expect(
    [...new Set([...used, ...unrouted.flatMap(([, response]) => codesOf(response))])].sort(),
  ).toEqual(table);
});

test("every answer carries the request's id, a keyed success the budget", () => {
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const headers = Object.keys(resolve<oas31.ResponseObject>(response).headers ?? {});
      expect(headers, `${operation.operationId} ${status}`).toContain("X-Request-Id");
      if (status.startsWith("2") && operation.security?.length !== 0)
        expect(headers).toEqual(
          expect.arrayContaining(["RateLimit", "RateLimit-Policy", "X-RateLimit-Reset"]),
        );
      if (status === "429") expect(headers).toContain("Retry-After");
    }
  }
});

// The contract's table, by heart.
const EVENT_TYPES = (
  "run.created message.created output_text.delta thinking.delta card.created card.updated " +
  "tool.started tool.completed artifact.created approval.requested approval.resolved " +
  "client_tool.requested budget.reached budget.raised question.asked message.received " +
  "connector.unavailable context.compacted usage.updated run.completed run.failed error ping"
).split(" ");

test("every event type is a component of its own that `RunEvent` tells apart by `type`", () => {
  const { oneOf = [], discriminator } = SCHEMAS.RunEvent as oas31.SchemaObject;
  expect(Object.keys(discriminator?.mapping ?? {})).toEqual(EVENT_TYPES);
  expect(oneOf.map((schema) => resolve<oas31.SchemaObject>(schema).properties?.type)).toEqual(
    EVENT_TYPES.map((type) => ({ type: "string", const: type })),
  );
});

test("every stream of events refers to `RunEvent`, or by app to `AppRunEvent`", () => {
  const streams = operations
    .filter(
      ({ operation: { operationId } }) =>
        !["listEvents", "exportEndUser"].includes(operationId ?? ""),
    )
    .flatMap(({ path, operation }) =>
      [operation.responses?.["200"]?.content?.["application/x-ndjson"] ?? []]
        .flat()
        .map(({ schema }) => ({ path, schema })),
    );
  expect(streams).toHaveLength(5);
  for (const { path, schema } of streams) {
    const name = path.startsWith("/api/v1/apps/") ? "AppRunEvent" : "RunEvent";
    expect(schema).toEqual({ $ref: `#/components/schemas/${name}` });
  }
});

test("a run's failure codes, and the models that a request may name, are listed", () => {
  expect(SCHEMAS.RunFailureCode).toMatchObject({ enum: [...RUN_FAILURE_CODES] });
  expect(SCHEMAS.ModelId).toMatchObject({
    enum: [...models().known.map(({ id }) => id), ...Object.keys(models().aliases)],
  });
});

test("import and export speak of one document, with the published schemas", () => {
  const document = { $ref: "#/components/schemas/AgentDocument" };
  expect(DOCUMENT.paths?.["/v1/agents/import"]?.post?.requestBody).toMatchObject({
    content: { "application/yaml": { schema: document } },
  });
  expect(
    DOCUMENT.paths?.["/v1/agents/{agent_id}/export"]?.get?.responses?.["200"]?.content[
      "application/yaml"
    ].schema,
  ).toEqual(document);
  for (const name of ["Agent", "AgentVersion", "AgentDocument", "UpdateAgentRequest"]) {
    expect(SCHEMAS[name], name).toMatchObject({
      properties: {
        config: { $ref: "#/components/schemas/AgentConfig" },
        dashboard_template: {
          anyOf: [{ $ref: "#/components/schemas/DashboardTemplate" }, { type: "null" }],
        },
      },
    });
  }
  expect(SCHEMAS.AgentDocumentOutput).toBeUndefined();
});

test("the surfaces' hosts are servers of their paths, else the document's host", () => {
  expect(DOCUMENT.servers).toMatchObject([{ url: "/" }]);
  const split = openapiDocument(OPERATIONS, { api: "api.lathe.test", app: "apps.lathe.test" });
  expect(split.servers).toEqual([{ url: "//api.lathe.test" }]);
  expect(split.paths?.["/v1/runs"]?.servers).toBeUndefined();
  expect(split.paths?.["/api/v1/apps/{appId}/runs"]?.servers).toEqual([
    { url: "//apps.lathe.test" },
  ]);
});

// What every operation says in the same words stands once, in the components.
test("the document stays small enough to be read at once", () => {
  expect(JSON.stringify(DOCUMENT).length).toBeLessThan(520_000);
});

/** Follows a reference into the components. */
function resolve<T>(node: unknown): T {
  const reference = (node as { $ref?: string }).$ref;
  if (reference === undefined) return node as T; // the document's own shape, as OpenAPI says it
  return reference
    .split("/")
    .slice(1)
    .reduce((at: unknown, key) => (at as Record<string, unknown>)[key], DOCUMENT) as T;
}

function codesOf(response: unknown): ErrorCode[] {
  const schema = resolve<oas31.ResponseObject>(response).content?.["application/json"]?.schema as
    | oas31.SchemaObject
    | undefined;
  const bodies = schema?.oneOf ?? (schema ? [schema] : []);
  return bodies.flatMap((body) => {
    const own = resolve<oas31.SchemaObject>(body).allOf?.[1] as oas31.SchemaObject | undefined;
    const code = (own?.properties?.error as oas31.SchemaObject | undefined)?.const;
    return code ? [code as ErrorCode] : [];
  });
}
