import "server-only";
import { z } from "zod";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { TurnContent, TurnTool } from "@/lib/runtime/models/read-turn";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";

/** So many connectors go with each call of a model, or so much of their definitions. */
const DECLARED_MAX = 80;
const DECLARED_MAX_CHARACTERS = 80_000;
/** What a model is told at once of the tools that it can look up. */
const NAMES_MAX_CHARACTERS = 16_000;
const SHOWN_MAX = 8;

const FIND_TOOLS = "find_tools";
const CALL_TOOL = "call_tool";

/** The tools by which a model comes by those that do not go with each call. */
export const LOOKUP_FACTS: readonly ToolFacts[] = [
  { name: FIND_TOOLS, offered: "lookup", writes: "nothing", within: true },
  { name: CALL_TOOL, offered: "lookup", writes: "anything" },
];

/**
 * The tools of a run, where its connectors (HTTP, MCP, its caller's, other agents) are too many to
 * be declared with each call: those are marked as looked up, and the two tools stand behind them by
 * which a model finds and calls them. Each stays a tool of the run under its own name, by which a
 * call of it is judged, shown, approved and receipted.
 * @param frozen what the run's model was shown with its first turn, which stays so however many
 * connectors there are by now; null: it was shown nothing yet
 */
export function withLookup(
  tools: RuntimeTool[],
  frozen: readonly TurnTool[] | null = null,
): RuntimeTool[] {
  const connectors = new Set(tools.filter(({ definition }) => definition !== undefined));
  const size = [...connectors].reduce((sum, tool) => sum + sizeOf(tool), 0);
  const isSmall = connectors.size <= DECLARED_MAX && size <= DECLARED_MAX_CHARACTERS;
  const isDeclared = frozen === null ? isSmall : !callsByLookup(frozen);
  // A connector may have had such a name before.
  if (isDeclared || tools.some(({ name }) => name === FIND_TOOLS || name === CALL_TOOL))
    return tools;
  const marked = tools.map((tool) =>
    connectors.has(tool) ? { ...tool, isLookedUp: true as const } : tool,
  );
  return [...marked, findTools([...connectors]), CALL];
}

function sizeOf({ name, description, inputSchema }: RuntimeTool): number {
  return name.length + description.length + JSON.stringify(inputSchema).length;
}

function findTools(connectors: readonly RuntimeTool[]): RuntimeTool {
  return defineTool({
    name: FIND_TOOLS,
    description: [
      `Find tools that are not shown here, with their arguments; then call one by ${CALL_TOOL}.`,
      "`names` gives those, `query` what fits its words best.",
      `There are: ${namesOf(connectors)}.`,
    ].join(" "),
    kind: "read",
    // What connectors are for stands in an agent's config, and in what servers say of themselves.
    isOpen: true,
    args: z.strictObject({
      query: z.string().min(1).max(300).optional(),
      names: z.array(z.string().min(1).max(200)).min(1).max(SHOWN_MAX).optional(),
    }),
    async execute({ query, names = [] }) {
      if (query === undefined && names.length === 0)
        throw new ToolFailure("Say what the tool is to do by query, or name it by names.");
      const named = connectors.filter(({ name }) => names.includes(name));
      const found = [...new Set([...named, ...rank(connectors, query ?? "")])].slice(0, SHOWN_MAX);
      const tools = found.map(({ name, description, inputSchema }) => ({
        ...{ name, description, input_schema: inputSchema },
      }));
      const missing = names.filter((name) => !named.some((tool) => tool.name === name));
      return { succeeded: true, output: { tools, ...(missing.length > 0 && { missing }) } };
    },
  });
}

function namesOf(tools: readonly RuntimeTool[]): string {
  const shown: string[] = [];
  let characters = 0;
  for (const { name } of tools) {
    characters += name.length + 2;
    if (characters > NAMES_MAX_CHARACTERS) break;
    shown.push(name);
  }
  const hidden = tools.length - shown.length;
  return `${shown.join(", ")}${hidden > 0 ? ` and ${hidden} more, which a query finds` : ""}`;
}

/** Those in whose names or descriptions words of the query stand, the best first. */
function rank(tools: readonly RuntimeTool[], query: string): RuntimeTool[] {
  const wanted = new Set(wordsOf(query));
  const scored = tools.map((tool) => {
    const [name, description] = [wordsOf(tool.name), wordsOf(tool.description)];
    const points = [...wanted].reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0),
      0,
    );
    return { tool, points };
  });
  return scored
    .filter(({ points }) => points > 0)
    .toSorted((left, right) => right.points - left.points)
    .map(({ tool }) => tool);
}

/** `getOrder_list` has three. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const CALL_ARGS = z.strictObject({
  name: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()),
});

/** Declared alone: a call of it is a call of the tool that it names, as `directCall` reads it. */
const CALL = defineTool({
  name: CALL_TOOL,
  description:
    `Call a tool that ${FIND_TOOLS} has shown: its name, and its arguments as its input_schema ` +
    "has them.",
  kind: "internal",
  args: CALL_ARGS,
  execute: () =>
    Promise.reject(
      new ToolFailure(`Name a tool that ${FIND_TOOLS} has shown, with its arguments.`),
    ),
});

/** Whether a model with these tools calls others by the one. */
export function callsByLookup(tools: readonly TurnTool[]): boolean {
  return tools.some(
    ({ name, description }) => name === CALL_TOOL && description === CALL.description,
  );
}

/** Among a call's `providerOptions`: it was made by the tool that calls others. */
const BY_LOOKUP = { by: CALL_TOOL };

interface NamedCall {
  name: string;
  input: JsonValue;
}

/** The call that a model means by the tool that calls others; null: it is no such call. */
export function directCall({ name, input }: NamedCall): NamedCall | null {
  if (name !== CALL_TOOL || !isJsonObject(input)) return null;
  const { name: meant, arguments: args = {} } = input;
  return typeof meant === "string" && meant !== CALL_TOOL ? { name: meant, input: args } : null;
}

type CallPart = Extract<TurnContent[number], { type: "tool-call" }>;
type Options = NonNullable<CallPart["providerOptions"]>;

/** What is kept with a call that was made so, beside the vendor's own words. */
export function noteLookup(options: Options | undefined): Options {
  return { ...options, lathe: BY_LOOKUP };
}

/** A stored call as its model has made it: its prompts say it so. */
export function saidCall(call: CallPart): CallPart {
  if (call.providerOptions?.lathe?.by !== CALL_TOOL) return call;
  const { lathe: _ours, ...vendors } = call.providerOptions;
  const { providerOptions: _all, ...plain } = call;
  return {
    ...plain,
    toolName: CALL_TOOL,
    input: { name: call.toolName, arguments: call.input },
    ...(Object.keys(vendors).length > 0 && { providerOptions: vendors }),
  };
}
