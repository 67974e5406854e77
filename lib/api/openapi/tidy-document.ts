import "server-only";
import { tidySchema } from "@/lib/api/openapi/tidy-schema";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";

/** Tidies each schema of a document, in place, and says nothing twice of a parameter. */
export function tidyDocument(document: { components?: { schemas?: object } }): void {
  tidySchema(Object.values(document.components?.schemas ?? {}));
  visit(document);
}

function visit(node: unknown): void {
  if (Array.isArray(node)) for (const item of node) visit(item);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "schemas" || key === "example" || key === "examples") continue;
    if (key === "schema") tidySchema(value);
    else visit(value);
  }
  if ("in" in node && "name" in node && "schema" in node) liftFromSchema(node);
}

/** Description and example belong to the parameter; the generator leaves them in its schema. An id without them gets those of its name. */
function liftFromSchema(parameter: { name: unknown; schema: unknown; example?: unknown; description?: string }): void {
  const schema = parameter.schema as { description?: string; examples?: unknown[] }; // a schema that was tidied just now
  const name = String(parameter.name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const description = parameter.description ?? schema.description ?? DESCRIPTIONS[name];
  const example = parameter.example ?? schema.examples?.[0] ?? IDS[name];
  delete schema.description;
  delete schema.examples;
  Object.assign(parameter, { ...(description !== undefined && { description }), ...(example !== undefined && { example }) });
}

/** The app-scoped path calls the agent an app. */
const IDS: Record<string, string> = { ...EXAMPLE_IDS, app_id: EXAMPLE_IDS.agent_id };

const DESCRIPTIONS: Record<string, string> = {
  agent_id: "The agent.",
  app_id: "The agent that the key is for, by its `agent_id`.",
  approval_id: "The approval.",
  artifact_id: "The artifact, by the `id` that the run's result lists it with.",
  conversation_id: "The conversation.",
  delivery_id: "The delivery.",
  file_id: "The file.",
  run_id: "The run.",
  schedule_id: "The schedule.",
  skill_id: "The skill.",
  version_id: "The version.",
  workspace_id: "The workspace.",
};
