import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isAgentRun } from "@/lib/domain/execution/run-limits";
import { agentsPort } from "@/lib/domain/super-agent/agents-port";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { superAgentTools } from "@/lib/runtime/tools/super-agent/super-agent-tools";
import type { RuntimeTool, ToolContext } from "@/lib/runtime/tools/tool";

/** The tools that a run's model may call: those of the agent's config; without an agent every built-in one; the super-agent those for agents too. */
export function runTools(run: LoadedRun): RuntimeTool[] {
  const config = effectiveConfig(run.agent && isAgentRun(run) ? run.agent.config : { version: 1 });
  return resolveTools(config, BUILT_IN_TOOLS, run.kind === "super_agent" ? superAgentTools(portFor(run)) : []);
}

function portFor(run: LoadedRun) {
  return ({ toolCallId, signal }: ToolContext) => agentsPort(run, toolCallId, signal);
}
