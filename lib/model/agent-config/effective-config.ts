import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  agentToolName,
  type BuiltInToolName,
  builtInToolsOf,
  namedTools,
} from "@/lib/model/agent-config/built-in-tools";
import { connectorUrlPlaces } from "@/lib/model/agent-config/connector-url";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import {
  DEFAULT_CODE_SECONDS,
  DEFAULT_MAX_STEPS,
  DEFAULT_TIMEOUT_SECONDS,
} from "@/lib/model/limits";
import type { CacheTime, ReasoningEffort } from "@/lib/model/models/model-facts";
import type { OnBudget } from "@/lib/model/run/on-budget";

type Tools = NonNullable<AgentConfig["tools"]>;
/** An MCP server as the config gives it; `tools` null stands for all of them. */
export type McpServer = Omit<NonNullable<Tools["mcp"]>[number], "tools" | "read_only"> & {
  tools: string[] | null;
  read_only: string[];
};
/** An `http` tool with the schema of its arguments. */
export type HttpTool = NonNullable<Tools["http"]>[number] & {
  description: string;
  input_schema: JsonObject;
};

/** A tool that whoever started the run carries out. */
export type ClientTool = Omit<NonNullable<Tools["client"]>[number], "input_schema"> & {
  input_schema: JsonObject;
};

/** Another agent as a tool, by its name. */
export type AgentTool = { agent_id: string; name: string; max_credits: number | null };

/** A config with every documented default filled in: what a run goes by. Times are in seconds. */
export type EffectiveConfig = {
  model: string | null;
  fallback_models: string[];
  model_settings: {
    temperature: number | null;
    max_output_tokens: number | null;
    reasoning: ReasoningEffort | null;
    cache: CacheTime | null;
  };
  inputs: JsonObject | null;
  output_schema: JsonObject | null;
  tools: {
    builtin: BuiltInToolName[];
    mcp: McpServer[];
    http: HttpTool[];
    client: ClientTool[];
    agents: AgentTool[];
    /** Where run_python computes. */
    python: "sandbox" | "provider";
    memory: boolean;
    web: { allowed_hosts: string[] };
  };
  permissions: { allow: string[]; ask: string[]; deny: string[] };
  limits: {
    max_steps: number;
    timeout_seconds: number;
    max_credits: number | null;
    on_budget: OnBudget;
    approval_timeout_seconds: number;
    code_seconds: number;
  };
  /** Null: those that are switched on. */
  skills: string[] | null;
  starters: string[];
};

/** Fills the defaults of a config; `{version: 1}` gives those of an agent without one. */
export function effectiveConfig(config: AgentConfig): EffectiveConfig {
  const { tools = {}, permissions = {}, limits = {}, model_settings: settings = {} } = config;
  return {
    model: config.model ?? null,
    fallback_models: config.fallback_models ?? [],
    model_settings: {
      temperature: settings.temperature ?? null,
      max_output_tokens: settings.max_output_tokens ?? null,
      reasoning: settings.reasoning ?? null,
      cache: settings.cache ?? null,
    },
    // The schema has let through nothing but JSON.
    inputs: (config.inputs ?? null) as JsonObject | null,
    output_schema: (config.output_schema ?? null) as JsonObject | null,
    tools: {
      builtin: builtInToolsOf(tools),
      mcp: (tools.mcp ?? []).map((server) => ({
        ...server,
        tools: server.tools ?? null,
        read_only: server.read_only ?? [],
      })),
      http: (tools.http ?? []).map(toHttpTool),
      // As above, JSON; and vendors of models want the type said.
      client: (tools.client ?? []).map((tool) => ({
        ...tool,
        input_schema: { type: "object", ...(tool.input_schema as JsonObject) },
      })),
      agents: (tools.agents ?? []).map((agent) => ({
        agent_id: agent.agent_id,
        name: agentToolName(agent),
        max_credits: agent.max_credits ?? null,
      })),
      python: tools.python ?? "sandbox",
      memory: tools.memory ?? false,
      web: { allowed_hosts: tools.web?.allowed_hosts ?? [] },
    },
    permissions: {
      allow: namedTools(permissions.allow ?? []),
      ask: namedTools(permissions.ask ?? []),
      deny: namedTools(permissions.deny ?? []),
    },
    limits: {
      max_steps: limits.max_steps ?? DEFAULT_MAX_STEPS,
      timeout_seconds: limits.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
      max_credits: limits.max_credits ?? null,
      on_budget: limits.on_budget ?? "fail",
      approval_timeout_seconds: limits.approval_timeout_seconds ?? 86_400,
      code_seconds: limits.code_seconds ?? DEFAULT_CODE_SECONDS,
    },
    skills: config.skills ?? null,
    starters: config.starters ?? [],
  };
}

function toHttpTool(tool: NonNullable<Tools["http"]>[number]): HttpTool {
  // The schema has let through nothing but JSON.
  const given = tool.input_schema as JsonObject | undefined;
  const description = tool.description ?? `${tool.method} ${tool.url}`;
  // Vendors of models want the type said.
  return {
    ...tool,
    description,
    input_schema: given === undefined ? placesSchema(tool.url) : { type: "object", ...given },
  };
}

/** Without a schema of its own a tool takes what its path needs, and nothing else. */
function placesSchema(url: string): JsonObject {
  const places = connectorUrlPlaces(url);
  const properties: JsonObject = Object.fromEntries(
    places.map((place) => [place, { type: "string", minLength: 1 }]),
  );
  return { type: "object", properties, required: places, additionalProperties: false };
}
