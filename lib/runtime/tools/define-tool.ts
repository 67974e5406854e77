import "server-only";
import type { z } from "zod";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { checkedSchema, derivedSchema, shownSchema } from "@/lib/runtime/prompts/shown-schema";
import type { RuntimeTool, ToolContext, ToolOutcome } from "@/lib/runtime/tools/tool";

interface ToolDefinition<Args extends z.ZodObject>
  extends Omit<RuntimeTool, "inputSchema" | "shownSchema" | "execute"> {
  /** A strict object: bounds, descriptions and what an argument is where it is left out. */
  args: Args;
  execute(args: z.output<Args>, context: ToolContext): Promise<ToolOutcome>;
}

/**
 * A tool whose arguments are said once: what the model is shown, what `executeTool` checks and what
 * `execute` is given are made of `args`. A default is filled in and not shown.
 * @param definition its `args` may hold what JSON Schema can say, and defaults at the top alone. A
 * tool that is made for each run has one `args` for all: what is made of them costs more than all
 * else that is made for a run
 */
export function defineTool<Args extends z.ZodObject>({
  args,
  execute,
  ...facts
}: ToolDefinition<Args>): RuntimeTool {
  const { defaults, ...schemas } = argumentsOf(args);
  return {
    ...facts,
    ...schemas,
    // Checked against that schema by `executeTool`, which counts characters where zod counts code
    // units: a second check would refuse what the first one let through.
    execute: (given, context) =>
      execute({ ...defaults, ...(given as object) } as z.output<Args>, context),
  };
}

interface Arguments {
  inputSchema: JsonObject;
  shownSchema: JsonObject;
  defaults: JsonObject;
}

/** Some tools are made for each run anew, of the same arguments. */
const derivedOf = new WeakMap<z.ZodObject, Arguments>();

function argumentsOf(args: z.ZodObject): Arguments {
  const known = derivedOf.get(args);
  if (known) return known;
  const made = {
    inputSchema: checkedSchema(args),
    shownSchema: shownSchema(args),
    defaults: defaultsOf(derivedSchema(args)),
  };
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
