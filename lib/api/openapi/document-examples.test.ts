import { expect, test } from "vitest";
import type { z } from "zod";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import type { Operation } from "@/lib/api/http/operation";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { ERROR_EXAMPLES } from "@/lib/api/openapi/response-components";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";
import { WEBHOOK_EXAMPLES, webhookPayloadSchema } from "@/lib/api/schemas/run-webhook";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { ERROR_CODES } from "@/lib/model/errors";

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS];
// These answers are documents that the operation itself serves.
const SELF_DESCRIBED = new Set([
  "getOpenapi",
  "getAgentConfigSchema",
  "getDashboardTemplateSchema",
]);

const requestsOf = (operation: Operation): [string, unknown, z.ZodType | undefined][] => [
  ...Object.entries(operation.examples ?? {}).map(
    ([name, value]): [string, unknown, z.ZodType | undefined] => [name, value, operation.body],
  ),
  ...Object.values(operation.rawBody ?? {}).flatMap((body) =>
    Object.entries(body.examples).map(([name, value]): [string, unknown, z.ZodType | undefined] => [
      name,
      value,
      body.schema,
    ]),
  ),
];

test("every operation with a body has an example of a request", () => {
  const without = OPERATIONS.filter(
    (operation) => (operation.body || operation.rawBody) && requestsOf(operation).length === 0,
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

test("every answer with a schema has an example", () => {
  const without = OPERATIONS.filter(({ operationId }) => !SELF_DESCRIBED.has(operationId)).flatMap(
    (operation) =>
      operation.responses
        .filter((spec) => spec.schema && Object.keys(spec.examples ?? {}).length === 0)
        .map(({ status }) => `${operation.operationId} ${status}`),
  );
  expect(without).toEqual([]);
});

test("every example of a request is one that the operation takes", () => {
  for (const operation of OPERATIONS)
    for (const [name, value, schema] of requestsOf(operation))
      if (schema)
        expect(schema.safeParse(value).error, `${operation.operationId} ${name}`).toBeUndefined();
});

test("every example of an answer fits its schema with no unknown field", () => {
  for (const operation of OPERATIONS)
    for (const { status, schema, examples } of operation.responses)
      for (const [name, value] of Object.entries(examples ?? {}))
        expect(schema?.parse(value), `${operation.operationId} ${status} ${name}`).toEqual(value);
  for (const [name, { value }] of Object.entries(WEBHOOK_EXAMPLES))
    expect(webhookPayloadSchema.parse(value), name).toEqual(value);
});

test("every code has an example of its body", () => {
  for (const code of ERROR_CODES)
    expect(ERROR_EXAMPLES[code]).toMatchObject({
      error: code,
      message: expect.stringMatching(/\S/),
    });
});

test("every path parameter has an example, and an id stands for the same thing everywhere", () => {
  const document = JSON.parse(JSON.stringify(openapiDocument(OPERATIONS)));
  const named = new Set<string>(Object.values(EXAMPLE_IDS));
  for (const [path, item] of Object.entries<Record<string, { parameters?: { $ref?: string }[] }>>(
    document.paths,
  ))
    for (const { parameters = [] } of Object.values(item))
      for (const parameter of parameters.map((each) =>
        each.$ref ? document.components.parameters[each.$ref.split("/")[3] ?? ""] : each,
      ))
        if (parameter.in === "path")
          expect(parameter.example, `${path} ${parameter.name}`).toBeDefined();
  const ids =
    JSON.stringify(document).match(
      /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    ) ?? [];
  expect(ids.filter((id) => !named.has(id))).toEqual([]);
});
