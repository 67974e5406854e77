import "server-only";
import { isAskedByOwner, type LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { accountServers, listServers } from "@/lib/domain/execution/tools/list-servers";
import {
  codeSkills,
  connectorPort,
  ownTools,
  searchProvider,
  skillPort,
} from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { models } from "@/lib/domain/models/models";
import { builtInsThat } from "@/lib/model/agent-config/built-in-tools";
import { effectiveConfig, type McpServer } from "@/lib/model/agent-config/effective-config";
import { hostOf } from "@/lib/model/agent-config/web-hosts";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import { containerSettings } from "@/lib/runtime/python/container-process";
import { createClientTool } from "@/lib/runtime/tools/client-tool";
import { createHttpTool } from "@/lib/runtime/tools/http-tool";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";

/** What tools are answered with, by their names; a list answers one call after the other. */
export type SampleAnswers = Readonly<Record<string, JsonValue>>;

/** Tools that only compute, or write what the shadow run keeps to itself. */
const WORKING = builtInsThat(({ worksDry }) => worksDry === true);

export interface ShadowToolset {
  tools: RuntimeTool[];
  /** Servers of MCP whose tools are not shown. */
  notTried: string[];
  /** Whether what a server says of its tools is among them. */
  showsListings: boolean;
}

/**
 * The tools that a run of the agent would have, with the same words and schemas. A server of MCP is
 * asked for its tools only where the account uses it already: the listing alone would send a secret
 * to an address that a model wrote. Of others there are those that `answers` has.
 * @param named hosts that may really be read from
 */
export async function shadowTools(
  build: LoadedRun,
  agent: Pick<AgentDraft, "config">,
  answers: SampleAnswers,
  named: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ShadowToolset> {
  const config = effectiveConfig(agent.config);
  const port = connectorPort(build);
  // What they do is never done here; only their words count.
  const never = () => Promise.reject(new ToolFailure("This is not done here."));
  const { builtIns, own } = ownTools(
    {
      reach: port.reach,
      search: searchProvider(),
      modelSearch: null,
      // What a case computes is computed here: it comes out the same, and costs no container.
      modelCode: null,
      pythonImage: containerSettings() !== null,
      fetchRule: async () => (url) => named.has(hostOf(url)),
      skills: skillPort(build.accountId, config.skills),
      codeSkills: codeSkills(build.accountId, config),
      answers: { find: never },
      // Notes are about people, and the builder is none of them.
      memory: null,
      media: { models: models().media, port: { make: never } },
    },
    config,
  );
  const servers = await serversOf(build, config.tools.mcp, answers, signal);
  const others = [
    ...own,
    ...config.tools.http.map((tool) => createHttpTool(tool, port)),
    ...config.tools.client.map((tool) => createClientTool(tool, { find: never })),
    ...servers.tools,
  ];
  return { ...servers, tools: resolveTools(config, builtIns, others) };
}

async function serversOf(
  build: LoadedRun,
  servers: readonly McpServer[],
  answers: SampleAnswers,
  signal: AbortSignal,
): Promise<ShadowToolset> {
  if (servers.length === 0) return { tools: [], notTried: [], showsListings: false };
  const known = [...(await accountServers(build.surroundings)).values()];
  const isUsed = (server: McpServer) =>
    known.some(
      ({ url, auth, auth_secret }) =>
        url === server.url && auth === server.auth && auth_secret === server.auth_secret,
    );
  const used = servers.filter(isUsed);
  const port = connectorPort(build);
  const { tools: listed } = await listServers(build.surroundings, used, port, signal);
  const sampled = servers
    .filter((server) => !isUsed(server))
    .flatMap(({ name }) => Object.keys(answers).filter((tool) => tool.startsWith(`${name}__`)))
    .map(sampledTool);
  const tools = [...listed, ...sampled];
  const notTried = servers.flatMap(({ name }) =>
    tools.some((tool) => tool.name.startsWith(`${name}__`)) ? [] : [name],
  );
  return { tools, notTried, showsListings: listed.length > 0 };
}

/** A tool of a server that nobody has asked yet, of which the builder says what it gives. */
function sampledTool(name: string): RuntimeTool {
  const [server = "", tool = ""] = name.split("__", 2);
  return {
    name,
    server,
    description: `The tool ${tool} of ${server}.`,
    inputSchema: { type: "object" },
    kind: "guarded",
    execute: () => Promise.reject(new ToolFailure("Nobody is asked.")),
  };
}

/** How a call of a shadow run comes by its result. */
export type Way =
  /** The tool itself works, and leaves nothing behind. */
  | { is: "works" }
  /** It reads from a host that the person named, or searches the web. */
  | { is: "reads" }
  | { is: "answered"; result: ToolResult }
  /** It would act outside, and nobody has said what it gives. */
  | { is: "unanswered" };

/**
 * @param asks whether a run would ask a person first
 * @param earlier calls of the same tool that were made before
 */
export function wayOf(
  build: LoadedRun,
  tool: RuntimeTool,
  call: ToolCall,
  {
    answers,
    named,
    asks,
    earlier,
  }: {
    answers: SampleAnswers;
    named: ReadonlySet<string>;
    asks: boolean;
    earlier: number;
  },
): Way {
  if (Object.hasOwn(answers, tool.name))
    return {
      is: "answered",
      result: sampleResult(tool, call, answers[tool.name] ?? null, earlier),
    };
  if (WORKING.includes(tool.name)) return { is: "works" };
  if (asks || !isAskedByOwner(build)) return { is: "unanswered" };
  if (tool.name === "web_search" && searchProvider() !== null) return { is: "reads" };
  return readsNamed(tool, call, named) ? { is: "reads" } : { is: "unanswered" };
}

/** Whether a call only gets something from a host that the person named. */
function readsNamed(tool: RuntimeTool, call: ToolCall, named: ReadonlySet<string>): boolean {
  const isWeb = tool.name === "web_fetch";
  const preview = tool.preview?.(call.input);
  if (!preview || tool.kind !== "read" || (!isWeb && preview.tool_kind !== "http")) return false;
  const url = preview.target === null ? null : URL.parse(preview.target);
  return url !== null && named.has(hostOf(url));
}

/** The sample in the form in which the tool itself answers. */
function sampleResult(
  tool: RuntimeTool,
  call: ToolCall,
  sample: JsonValue,
  earlier: number,
): ToolResult {
  const value = Array.isArray(sample)
    ? (sample[Math.min(earlier, sample.length - 1)] ?? null)
    : sample;
  if (isJsonObject(value) && Object.keys(value).length === 1 && typeof value.error === "string")
    return { succeeded: false, output: value };
  if (tool.name === "web_fetch") return { succeeded: true, output: pageOf(call, value) };
  if (tool.preview?.(call.input).tool_kind !== "http") return { succeeded: true, output: value };
  const answer: JsonObject =
    isJsonObject(value) && typeof value.status === "number" ? value : { status: 200, body: value };
  const status = Number(answer.status);
  return { succeeded: status >= 200 && status < 300, output: answer };
}

function pageOf({ input }: ToolCall, value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value;
  // Checked by the tool's schema.
  const url = isJsonObject(input as JsonValue) ? ((input as JsonObject).url ?? null) : null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { url, status: 200, content_type: "text/html", text, next_offset: null };
}
