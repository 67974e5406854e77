import "server-only";
import type { oas31 } from "zod-openapi";
import { models } from "@/lib/domain/models/models";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import { DASHBOARD_TEMPLATE_JSON_SCHEMA } from "@/lib/model/dashboard/dashboard-template-json-schema";

type Schemas = Record<string, oas31.SchemaObject>;

const WRITTEN_WITH_AGENTS = ["Agent", "AgentVersion", "AgentDocument", "UpdateAgentRequest"];

/** The schemas that are published by themselves too: what an agent's config and dashboard are. */
export function publishedSchemas(): Schemas {
  return { AgentConfig: asComponent(AGENT_CONFIG_JSON_SCHEMA), DashboardTemplate: asComponent(DASHBOARD_TEMPLATE_JSON_SCHEMA) };
}

/**
 * Writes, in place, what the requests' own schemas leave to the domain, which has better messages for it: the fields `config` and
 * `dashboard_template` are what is published of them, and `model` is one of the published list.
 */
export function linkPublishedSchemas(schemas: Schemas): void {
  for (const name of WRITTEN_WITH_AGENTS) {
    const properties = schemas[name]?.properties;
    if (!properties) throw new Error(`the document has no component ${name}`);
    properties.config = { ...annotations(properties.config), $ref: "#/components/schemas/AgentConfig" };
    properties.dashboard_template = {
      ...annotations(properties.dashboard_template),
      anyOf: [{ $ref: "#/components/schemas/DashboardTemplate" }, { type: "null" }],
    };
  }
  if (schemas.ModelId) schemas.ModelId.enum = models().known.map((model) => model.id);
}

function annotations(schema: object | undefined): { description?: string; default?: unknown } {
  const { description, default: fallback } = (schema ?? {}) as { description?: string; default?: unknown }; // annotations of any schema
  return { ...(description !== undefined && { description }), ...(fallback !== undefined && { default: fallback }) };
}

/** Inside a document the dialect is the document's. */
function asComponent({ $schema: _dialect, ...schema }: object & { $schema?: unknown }): oas31.SchemaObject {
  return structuredClone(schema) as oas31.SchemaObject; // zod's type for it is wider
}
