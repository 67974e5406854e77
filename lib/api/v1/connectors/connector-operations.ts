import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { workOnRequest } from "@/lib/domain/work-on-request";
import { invalidInput } from "@/lib/model/errors";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

const OPERATIONS_MAX = 50;
const NAME_MAX_CHARACTERS = 512;

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example.com/api" }],
  paths: {
    "/orders/{order}": {
      get: {
        operationId: "getOrder",
        summary: "Fetch an order",
        parameters: [{ name: "order", in: "path", schema: { type: "string" } }],
      },
    },
  },
};

const convertOpenapiOperation = operation({
  method: "POST",
  path: "/v1/connectors/openapi",
  operationId: "convertOpenapi",
  tag: "Connectors",
  summary: "Make http tools of an OpenAPI document",
  description:
    "Turns chosen operations of an OpenAPI 3 document into entries for `tools.http` of an " +
    "agent's config, and lists what there is to choose from. Nothing is stored and nothing " +
    "is called: put the entries into a config by `PATCH /v1/agents/{agent_id}`.",
  body: z
    .strictObject({
      document: z
        .record(z.string(), z.unknown())
        .meta({ description: "The OpenAPI 3 document as JSON.", example: DOCUMENT }),
      operations: z
        .array(z.string().min(1).max(NAME_MAX_CHARACTERS))
        .max(OPERATIONS_MAX)
        .default([])
        .meta({
          description:
            "By their `operationId`, or as `get /path`; without any, they are only listed.",
          example: ["getOrder"],
        }),
      base_url: z
        .string()
        .max(2_048)
        .regex(/^https?:\/\//i, "must be an http or https address")
        .optional()
        .meta({
          description: "In place of the document's first server.",
          example: "https://shop.example.com/api",
        }),
      auth_secret: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: "The account's secret that the tools send.", example: "SHOP_KEY" }),
      auth_header: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: "The header that carries it.", example: "X-Api-Key" }),
    })
    .meta({ id: "ConvertOpenapiRequest" }),
  examples: {
    list: { document: DOCUMENT },
    tools: { document: DOCUMENT, operations: ["getOrder"], auth_secret: "SHOP_KEY" },
  },
  responses: [
    {
      status: 200,
      description: "The tools, what was left out of those chosen, and what there is.",
      schema: z
        .object({
          tools: z
            .array(z.record(z.string(), z.unknown()))
            .meta({ description: "Entries for `tools.http`." }),
          left_out: z.array(z.object({ operation: z.string(), reason: z.string() })),
          operations: z.array(
            z.object({
              operation: z.string(),
              method: z.string(),
              path: z.string(),
              summary: z.string().nullable(),
            }),
          ),
        })
        .meta({ id: "OpenapiTools" }),
      examples: {
        tools: {
          tools: [
            {
              name: "getOrder",
              description: "Fetch an order",
              method: "GET",
              url: "https://shop.example.com/api/orders/{order}",
              auth_secret: "SHOP_KEY",
              input_schema: {
                type: "object",
                properties: { order: { type: "string" } },
                required: ["order"],
              },
            },
          ],
          left_out: [],
          operations: [
            {
              operation: "getOrder",
              method: "GET",
              path: "/orders/{order}",
              summary: "Fetch an order",
            },
          ],
        },
      },
    },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    const document = body.document as JsonObject; // a part of a JSON body
    const choice = {
      operations: body.operations,
      baseUrl: body.base_url ?? null,
      authSecret: body.auth_secret ?? null,
      authHeader: body.auth_header ?? null,
    };
    const converted = await workOnRequest(
      "convert-openapi",
      { document, choice },
      { account: principal.accountId, field: "document" },
    );
    if (converted.operations.length === 0)
      throw invalidInput(
        "document",
        "must be an OpenAPI 3 document with at least one operation in its paths",
      );
    if (!converted.ok) throw invalidInput("base_url", converted.message);
    const { tools, leftOut, operations } = converted;
    return { status: 200, body: { tools, left_out: leftOut, operations } };
  },
});

export const CONNECTOR_OPERATIONS: Operation[] = [convertOpenapiOperation];
