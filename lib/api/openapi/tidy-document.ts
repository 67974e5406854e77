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

/** Description and example belong to the parameter; the generator leaves them in its schema. */
function liftFromSchema(parameter: { name: unknown; schema: unknown; example?: unknown; description?: string }): void {
  const schema = parameter.schema as { description?: string; examples?: unknown[] }; // a schema that was tidied just now
  if (parameter.description !== undefined && !("$ref" in schema)) delete schema.description;
  parameter.example ??= schema.examples?.[0] ?? exampleId(String(parameter.name));
  if (parameter.example === undefined) delete parameter.example;
  delete schema.examples;
}

const IDS: Record<string, string> = { ...EXAMPLE_IDS, app_id: EXAMPLE_IDS.agent_id };

/** The id that a name stands for in all examples, whichever way it is written. */
function exampleId(name: string): string | undefined {
  return IDS[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}
