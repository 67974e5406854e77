import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { documentText } from "@/lib/api/openapi/document-text";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import { DASHBOARD_TEMPLATE_JSON_SCHEMA } from "@/lib/model/dashboard/dashboard-template-schema";

/** The JSON Schemas of what agents are written in, for editors: without a key. */
export const SCHEMA_OPERATIONS: Operation[] = [
  schemaOperation(
    "agent-config",
    "getAgentConfigSchema",
    "the agent config",
    AGENT_CONFIG_JSON_SCHEMA,
  ),
  schemaOperation(
    "dashboard-template",
    "getDashboardTemplateSchema",
    "the dashboard template",
    DASHBOARD_TEMPLATE_JSON_SCHEMA,
  ),
];

function schemaOperation(
  name: string,
  operationId: string,
  what: string,
  schema: object,
): Operation {
  const text = JSON.stringify(schema);
  return operation({
    method: "GET",
    path: `/v1/schemas/${name}.json`,
    operationId,
    tag: "Document",
    summary: `The JSON Schema of ${what}`,
    description: `JSON Schema 2020-12 of ${what}. Needs no key.`,
    auth: "none",
    responses: [
      {
        status: 200,
        description: "A JSON Schema.",
        schema: z.looseObject({ $schema: z.string() }),
        headers: ["Cache-Control"],
      },
    ],
    errors: [],
    async handle() {
      return { status: 200, body: text, headers: { "cache-control": "public, max-age=300" } };
    },
  });
}

/** Serves the document of the operations that it is given, itself among them. */
export function getOpenapiOperation(operations: () => readonly Operation[]): Operation {
  let text: string | undefined;
  return operation({
    method: "GET",
    path: "/v1/openapi.json",
    operationId: "getOpenapi",
    tag: "Document",
    summary: "This document",
    description: "The OpenAPI 3.1 description of the API. Needs no key.",
    auth: "none",
    responses: [
      {
        status: 200,
        description: "OpenAPI 3.1.",
        schema: z.looseObject({ openapi: z.string() }),
        headers: ["Cache-Control"],
      },
    ],
    errors: [],
    async handle() {
      text ??= documentText(operations());
      return { status: 200, body: text, headers: { "cache-control": "public, max-age=300" } };
    },
  });
}
