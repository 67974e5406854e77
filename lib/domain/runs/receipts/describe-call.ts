import "server-only";
import { builtInsThat } from "@/lib/model/agent-config/built-in-tools";
import { fillConnectorUrl } from "@/lib/model/agent-config/connector-url";
import type { EffectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { ShownCall } from "@/lib/model/approval/approval";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import {
  ACTION_TARGET_MAX_CHARACTERS,
  type ActionFacts,
  type ActionKind,
} from "@/lib/model/run/run-action";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

interface Called {
  name: string;
  input: unknown;
}

type Described = Pick<ActionFacts, "kind" | "target">;

/**
 * What a call of a tool does and to what, by the tool's definition; never by what a model says of
 * it. Not redacted, and as long as it is: see `shownTarget`.
 */
export function describeCall(tool: DescribedTool, call: Called): Described {
  const kind = tool.kind === "read" || listsNotes(call) ? "read" : "write";
  const preview = tool.preview?.(call.input);
  if (preview?.tool_kind === "mcp" && tool.server !== undefined)
    return { kind, target: `${tool.server}/${preview.method ?? tool.name}` };
  if (preview?.tool_kind === "client") return { kind, target: tool.name };
  // Its arguments are another agent's inputs, under names of that one's own.
  if (tool.startsRun && tool.target !== undefined) return { kind, target: tool.target };
  const address = preview?.target ?? null;
  return { kind, target: address === null ? ownTarget(call) : placeOf(address) };
}

type DescribedTool = Pick<
  RuntimeTool,
  "name" | "kind" | "server" | "preview" | "startsRun" | "target"
>;

/** The service's own tools that keep something; a build's proposals are drafts until it ends. */
const OWN_WRITES: ReadonlySet<string> = new Set(builtInsThat(({ writes }) => writes !== "nothing"));
const OWN_READS: ReadonlySet<string> = new Set(builtInsThat(({ writes }) => writes === "nothing"));

/**
 * The same of a call of which nothing was kept: it never ended, or ended under an older version.
 * Or of one that the runtime has no tool for: a build's, or none at all. What an MCP server said of
 * its tool is not known here, and so it counts as one that writes, as does what nobody knows.
 * @param config of the version that the model saw; null: a build's, or not known any more
 */
export function describeUnkept(
  call: Called,
  config: Pick<EffectiveConfig, "tools"> | null,
): Described {
  const http = config?.tools.http.find(({ name }) => name === call.name);
  if (http) {
    const reads = http.method === "GET" || http.method === "HEAD";
    const filled = isJsonObject(call.input as JsonValue)
      ? fillConnectorUrl(http.url, Object(call.input), reads)
      : null;
    return {
      kind: reads ? "read" : "write",
      target: placeOf(filled?.ok ? filled.url.href : http.url),
    };
  }
  const server = config?.tools.mcp.find(({ name }) => call.name.startsWith(`${name}__`));
  if (server)
    return { kind: "write", target: `${server.name}/${call.name.slice(server.name.length + 2)}` };
  const isClients = config?.tools.client.some(({ name }) => name === call.name);
  if (isClients || !(OWN_READS.has(call.name) || OWN_WRITES.has(call.name)))
    return { kind: "write", target: call.name };
  return { kind: ownKind(call), target: ownTarget(call) };
}

/** The same of a call that a person did not allow, by what they were shown. */
export function describeShown(call: Called, shown: ShownPlace): Described {
  const kind = shown.method === "GET" || shown.method === "HEAD" ? "read" : "write";
  if (shown.tool_kind === "mcp") return { kind: "write", target: call.name.replace("__", "/") };
  return { kind, target: shown.target === null ? call.name : placeOf(shown.target) };
}

/** What an approval keeps of `ShownCall`. */
export type ShownPlace = Pick<ShownCall, "tool_kind" | "method" | "target">;

function ownKind(call: Called): ActionKind {
  return OWN_WRITES.has(call.name) && !listsNotes(call) ? "write" : "read";
}

function ownTarget(call: Called): string {
  if (call.name !== "web_fetch") return namedThing(call);
  const url = argument(call, "url");
  return url === null ? call.name : placeOf(url);
}

function listsNotes(call: Called): boolean {
  return call.name === "memory" && argument(call, "action") === "list";
}

/** Arguments that name what a tool of our own works on. */
const NAMING = ["path", "handle", "query", "prefix", "title", "name", "from", "agent_id", "run_id"];

function namedThing(call: Called): string {
  for (const name of NAMING) {
    const value = argument(call, name);
    if (value !== null) return value;
  }
  return call.name;
}

function argument({ input }: Called, name: string): string | null {
  const value =
    typeof input === "object" && input !== null && Object.hasOwn(input, name)
      ? (Reflect.get(input, name) as unknown)
      : null;
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** Host and path: what stands behind them, or before the host, may be data or a credential. */
function placeOf(address: string): string {
  if (!URL.canParse(address)) return address.split(/[?#]/, 1)[0] ?? "";
  const { host, pathname } = new URL(address);
  return `${host}${pathname === "/" ? "" : pathname}`;
}

/** A redacted target in one line, cut to what is shown. */
export function shownTarget(target: string): string {
  const line = target.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length <= ACTION_TARGET_MAX_CHARACTERS
    ? line.toWellFormed()
    : `${line.slice(0, ACTION_TARGET_MAX_CHARACTERS - 1).toWellFormed()}…`;
}
