import "server-only";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { inSlices, type SlicedWork } from "@/lib/platform/in-slices";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";

/** The part of an agent's effective config that decides which tools its model is shown. */
interface ToolSelection {
  tools: { builtin: readonly string[] };
  permissions: { deny: readonly string[] };
}

/**
 * The tools that a run's model is shown: built-ins that the config names, connectors as they come,
 * nothing that is denied.
 */
export function resolveTools(
  config: ToolSelection,
  builtins: readonly RuntimeTool[],
  connectors: readonly RuntimeTool[] = [],
): RuntimeTool[] {
  const wanted = new Set(config.tools.builtin);
  const denied = new Set(config.permissions.deny);
  const seen = new Set<string>();
  return [...builtins.filter((tool) => wanted.has(tool.name)), ...connectors].filter((tool) => {
    if (
      denied.has(tool.name) ||
      (tool.server !== undefined && denied.has(tool.server)) ||
      seen.has(tool.name)
    )
      return false;
    seen.add(tool.name);
    return true;
  });
}

type Redact = (text: string) => SlicedWork<string>;

/** So many values, whose texts are short, make a step. */
const STEP_VALUES = 1_000;

/**
 * The same tool, with `redact` over every text of what comes back: before it is cut to size, and in
 * the reasons of failures too.
 */
export function redactedTool(tool: RuntimeTool, redact: Redact): RuntimeTool {
  return {
    ...tool,
    async execute(args, context) {
      try {
        const outcome = await tool.execute(args, context);
        return { ...outcome, output: await inSlices(redactJson(outcome.output, redact)) };
      } catch (error) {
        throw error instanceof ToolFailure
          ? new ToolFailure(await inSlices(redact(error.message)), error.isUnanswered)
          : error;
      }
    },
  };
}

/** A JSON value with `redact` over each of its texts, keys too. */
export function* redactJson(output: JsonValue, redact: Redact): SlicedWork<JsonValue> {
  let values = 0;
  function* redacted(value: JsonValue): SlicedWork<JsonValue> {
    values += 1;
    if (values % STEP_VALUES === 0) yield;
    if (typeof value === "string") return yield* redact(value);
    if (typeof value === "number") return yield* redactNumber(value, redact);
    if (Array.isArray(value)) {
      const items: JsonValue[] = [];
      for (const item of value) items.push(yield* redacted(item));
      return items;
    }
    if (!isJsonObject(value)) return value;
    const entries: [string, JsonValue][] = [];
    for (const [key, item] of Object.entries(value))
      entries.push([yield* redact(key), yield* redacted(item)]);
    return Object.fromEntries(entries);
  }
  return yield* redacted(output);
}

/** A secret may consist of digits, and come back as a number. */
function* redactNumber(value: number, redact: Redact): SlicedWork<JsonValue> {
  const text = String(value);
  const redacted = yield* redact(text);
  return redacted === text ? value : redacted;
}
