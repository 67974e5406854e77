import "server-only";
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";

/** The names of the envelope's two values; others where the schema has such names of its own. */
export interface EnvelopeKeys {
  answer: string;
  missing: string;
}

/**
 * How a model is asked for a value of a schema: in an envelope that also takes what was not found,
 * so that a form that is forced leaves a way out other than to invent. Nobody outside sees it:
 * `AnswerReader` takes the value out again.
 */
export interface AnswerForm {
  keys: EnvelopeKeys;
  /** Null is an answer of this schema, whatever is missing. */
  takesNull: boolean;
  /** Of the envelope. */
  schema: JsonObject;
  /** By which a model answers that takes no form beside its tools. */
  tool: LanguageModelV4FunctionTool;
}

const TOOL_DESCRIPTION =
  "Give the answer, once, when the work is done. What this tool is given is the whole " +
  "answer: write none beside it.";
const ANSWER_DESCRIPTION =
  "The answer, by its schema. Null where a value that the schema requires was not found: " +
  "invent none.";
const MISSING_DESCRIPTION =
  "Where the answer is null: what was not found, each in a few words. Else empty.";

/**
 * The form of an answer that must fit a schema.
 * @param tools what the model may call besides
 */
export function answerForm(
  schema: JsonObject,
  tools: readonly Pick<LanguageModelV4FunctionTool, "name">[],
): AnswerForm {
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const keys = { answer: freeName("answer", own), missing: freeName("missing", own) };
  const envelope = toEnvelope(schema, keys);
  const called = tools.map(({ name }) => name);
  return {
    keys,
    takesNull: validateAgainst(schema, null).length === 0,
    schema: envelope,
    tool: {
      type: "function",
      name: freeName("answer", called),
      description: TOOL_DESCRIPTION,
      // A JSON object that `checkSchema` has let through: the vendor's type is only narrower about
      // its keys.
      inputSchema: envelope as LanguageModelV4FunctionTool["inputSchema"],
    },
  };
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let count = 1; taken.includes(name); count += 1) name = `${wanted}_${count}`;
  return name;
}

/** Definitions stand at the root, where references to them look and vendors want them. */
function toEnvelope(schema: JsonObject, { answer, missing }: EnvelopeKeys): JsonObject {
  const { $schema: _draft, $id: _id, $defs, definitions, ...rest } = schema;
  const moved = (value: JsonValue) => relocated(value, `#/properties/${answer}/anyOf/0`);
  return {
    type: "object",
    properties: {
      [answer]: { description: ANSWER_DESCRIPTION, anyOf: [moved(rest), { type: "null" }] },
      [missing]: { description: MISSING_DESCRIPTION, type: "array", items: { type: "string" } },
    },
    required: [answer, missing],
    additionalProperties: false,
    ...($defs !== undefined && { $defs: moved($defs) }),
    ...(definitions !== undefined && { definitions: moved(definitions) }),
  };
}

/** The same with each reference to the document's root turned to where that now stands. */
function relocated(value: JsonValue, root: string): JsonValue {
  if (Array.isArray(value)) return value.map((each) => relocated(each, root));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, each]) =>
    key === "$ref" && typeof each === "string"
      ? [key, turned(each, root)]
      : [key, relocated(each, root)],
  );
  return Object.fromEntries(entries) as JsonObject; // an object's entries, their values JSON
}

function turned(reference: string, root: string): string {
  const isHoisted = /^#\/(?:\$defs|definitions)(?:\/|$)/.test(reference);
  return isHoisted || !reference.startsWith("#") ? reference : `${root}${reference.slice(1)}`;
}
