import "server-only";
import { connectorPort } from "@/lib/domain/execution/connector-port";
import { fetchRule } from "@/lib/domain/execution/fetch-rule";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { mcpTools } from "@/lib/domain/execution/mcp-tools";
import { isAgentRun } from "@/lib/domain/execution/run-limits";
import { skillPort } from "@/lib/domain/execution/skill-port";
import { agentsPort } from "@/lib/domain/super-agent/agents-port";
import { env } from "@/lib/env";
import { type EffectiveConfig, effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import { createWebTools } from "@/lib/runtime/tools/create-web-tools";
import { createHttpTool } from "@/lib/runtime/tools/http-tool";
import { createReadSkillTool } from "@/lib/runtime/tools/read-skill-tool";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { superAgentTools } from "@/lib/runtime/tools/super-agent/super-agent-tools";
import type { RuntimeTool, ToolContext } from "@/lib/runtime/tools/tool";

/**
 * The tools that a run's model may call: those of the agent's config (without an agent every built-in one), its connectors, and the skills; the super-agent's those for agents too.
 * @param options.fresh lists the tools of MCP servers anew, whatever is known of them
 */
export async function runTools(run: LoadedRun, signal: AbortSignal, { fresh = false } = {}): Promise<RuntimeTool[]> {
  const config = runConfig(run);
  const port = connectorPort(run.accountId);
  const builtIns = [
    ...BUILT_IN_TOOLS,
    ...createWebTools({ reach: port.reach, searchUrl: env().SEARCH_URL, fetchRule: fetchRule(run, config.tools.web.allowed_hosts) }),
  ];
  const connectors = config.tools.http.map((tool) => createHttpTool(tool, port));
  const ofServers = await mcpTools(run, config.tools.mcp, signal, { fresh });
  const forAgents = run.kind === "super_agent" ? superAgentTools(portFor(run)) : [];
  return resolveTools(config, builtIns, [createReadSkillTool(skillPort(run.accountId)), ...connectors, ...ofServers, ...forAgents]);
}

/** The config that a run goes by. */
export function runConfig(run: LoadedRun): EffectiveConfig {
  return effectiveConfig(run.agent && isAgentRun(run) ? run.agent.config : { version: 1 });
}

function portFor(run: LoadedRun) {
  return (context: ToolContext) => agentsPort(run, context);
}
