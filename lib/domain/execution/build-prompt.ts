import "server-only";
import { AgentChanged } from "@/lib/domain/execution/edit-agent";
import type { LoadedRun, StoredTurn } from "@/lib/domain/execution/load-run";
import { models } from "@/lib/domain/models/models";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import {
  type BuildTool,
  CREATE_AGENT_TOOL,
  EDIT_AGENT_TOOL,
  FINISH_TOOL,
  LIST_VERSIONS_TOOL,
  RESTORE_VERSION_TOOL,
} from "@/lib/runtime/prompts/agent-tools";
import { agentCreationPrompt, agentEditPrompt } from "@/lib/runtime/prompts/prompts";

/** The tools of a build, the one that drafts first. */
export function buildTools(run: LoadedRun): BuildTool[] {
  return run.agent ? [EDIT_AGENT_TOOL, FINISH_TOOL, LIST_VERSIONS_TOOL, RESTORE_VERSION_TOOL] : [CREATE_AGENT_TOOL, FINISH_TOOL];
}

/** What a build's model is told at the beginning. */
export async function builderPrompt(run: LoadedRun): Promise<string> {
  const now = new Date();
  const modelIds = models()
    .known.filter((model) => model.switched_on)
    .map((model) => model.id);
  if (!run.agent) return agentCreationPrompt(modelIds, now);
  const { name, description, skillContent, config, configContent, dashboardTemplate, writeAutonomy } = run.agent;
  // Stored only after validation, so all of it is JSON.
  const values = { config: config as unknown as JsonValue, dashboard_template: (dashboardTemplate ?? null) as JsonValue };
  const comments = configContent.includes("#") ? { config_content: configContent } : {};
  return agentEditPrompt(
    { name, description, skill_content: skillContent, write_autonomy: writeAutonomy, ...values, ...comments },
    modelIds,
    now,
  );
}

/** What a build's model was told after a turn that called nothing and did not end the build; null where that was nothing. */
export function buildCorrection(run: LoadedRun, turn: StoredTurn): string | null {
  if (turn.content.some((part) => part.type === "tool-call")) return null;
  if (turn.agentVersionId !== (run.agent?.currentVersionId ?? null)) return `${AgentChanged.told} Make the requested change on that.`;
  return `Your answer was empty. Draft the agent, or call ${FINISH_TOOL.name} with a question or the reason why it cannot be done.`;
}
