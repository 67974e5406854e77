import "server-only";
import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { RuntimeTool, ToolContext, ToolOutcome } from "@/lib/runtime/tools/tool";

interface ToolDefinition<Args extends z.ZodObject>
  extends Omit<RuntimeTool, "inputSchema" | "execute"> {
  /** A strict object: bounds, descriptions and what an argument is where it is left out. */
  args: Args;
  execute(args: z.output<Args>, context: ToolContext): Promise<ToolOutcome>;
}

/**
 * A tool whose arguments are said once: what the model is shown, what `executeTool` checks and what
 * `execute` is given are made of `args`. A default is filled in and not shown.
 * @param definition its `args` may hold what JSON Schema can say, and defaults at the top alone
 */
export function defineTool<Args extends z.ZodObject>({
  args,
  execute,
  ...facts
}: ToolDefinition<Args>): RuntimeTool {
  const { inputSchema, defaults } = argumentsOf(args);
  return {
    ...facts,
    inputSchema,
    // Checked against that schema by `executeTool`, which counts characters where zod counts code
    // units: a second check would refuse what the first one let through.
    execute: (given, context) =>
      execute({ ...defaults, ...(given as object) } as z.output<Args>, context),
  };
}

interface Arguments {
  inputSchema: JsonObject;
  defaults: JsonObject;
}

/** Some tools are made for each run anew, of the same arguments. */
const derivedOf = new WeakMap<z.ZodObject, Arguments>();

function argumentsOf(args: z.ZodObject): Arguments {
  const known = derivedOf.get(args);
  if (known) return known;
  // Of an object zod makes JSON.
  const derived = z.toJSONSchema(args, { io: "input" }) as JsonObject;
  const made = { inputSchema: shown(derived), defaults: defaultsOf(derived) };
  derivedOf.set(args, made);
  return made;
}

function defaultsOf({ properties = {} }: JsonObject): JsonObject {
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  return Object.fromEntries(
    entries.flatMap(([name, schema]) =>
      isJsonObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [],
    ),
  );
}

/** The order in which a model reads what is said of a value; its words come last. */
const ORDER = [
  ...["type", "enum", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"],
  ...["items", "properties", "required", "additionalProperties", "description"],
];

function shown(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    ORDER.flatMap((key): [string, JsonValue][] => {
      const value = schema[key];
      return value === undefined || isEveryInteger(value) ? [] : [[key, shownPart(key, value)]];
    }),
  );
}

function shownPart(key: string, value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  if (key !== "properties") return shown(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, of]) => [name, isJsonObject(of) ? shown(of) : of]),
  );
}

/** What zod says of any integer: it can be told exactly. */
function isEveryInteger(value: JsonValue): boolean {
  return typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}
