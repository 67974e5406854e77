import "server-only";
import { models } from "@/lib/domain/models/models";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { configToText, rewriteConfigText } from "@/lib/model/agent-config/config-text";
import { askBeforeConnectors } from "@/lib/model/agent-config/permissions";
import { checkDashboardTemplate } from "@/lib/model/dashboard/check-dashboard-template";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";

export interface AgentDraft {
  name: string;
  description: string | null;
  skillContent: string;
  config: AgentConfig;
  configContent: string;
  dashboardTemplate: unknown;
  writeAutonomy: WriteAutonomy;
}

/** What changes; an absent field stays. */
export type AgentPatch = Partial<AgentDraft>;

const PROBLEMS_SHOWN = 10;

/** Connectors that were put under `permissions.ask`, because a model wrote them. */
interface Asked {
  asked: string[];
}

type Checked<T> = ({ ok: true } & T) | { ok: false; problems: string[] };

/** Whether a whole agent as a model proposes it may be stored. */
export function checkAgentDraft(input: unknown): Checked<{ draft: AgentDraft; leftOut: readonly string[] } & Asked> {
  const parsed = CREATE_AGENT_TOOL.schema.safeParse(input);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.slice(0, PROBLEMS_SHOWN).map(describeIssue) };
  const { name, description, skill_content, config, dashboard_template, write_autonomy } = parsed.data;
  const problems = [...skillProblems(skill_content), ...dashboardProblems(dashboard_template ?? null)];
  const checkedConfig = checkConfig(config, null);
  if (!checkedConfig.ok) return { ok: false, problems: [...problems, ...checkedConfig.problems] };
  if (problems.length > 0) return { ok: false, problems };
  const draft: AgentDraft = {
    name: name.trim(),
    description: description.trim() || null,
    skillContent: skill_content,
    config: checkedConfig.config,
    configContent: configToText(checkedConfig.config),
    dashboardTemplate: dashboard_template ?? null,
    writeAutonomy: write_autonomy,
  };
  return { ok: true, draft, leftOut: parsed.data.left_out ?? [], asked: checkedConfig.asked };
}

/** Whether a change of an agent as a model proposes it may be stored, and what it says about it. A change of nothing is a problem. */
export function checkAgentPatch(
  input: unknown,
  agent: { config: AgentConfig; configContent: string },
): Checked<{ patch: AgentPatch; summary: string } & Asked> {
  const parsed = EDIT_AGENT_TOOL.schema.safeParse(input);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.slice(0, PROBLEMS_SHOWN).map(describeIssue) };
  const { summary, ...given } = parsed.data;
  if (Object.keys(given).length === 0) return { ok: false, problems: ["Give at least one field that changes."] };
  const problems = [
    ...(given.skill_content === undefined ? [] : skillProblems(given.skill_content)),
    ...dashboardProblems(given.dashboard_template ?? null),
  ];
  const config = given.config === undefined ? null : checkConfig(given.config, agent.config);
  if (config && !config.ok) return { ok: false, problems: [...problems, ...config.problems] };
  if (problems.length > 0) return { ok: false, problems };
  const patch: AgentPatch = {
    ...(given.name !== undefined && { name: given.name.trim() }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.skill_content !== undefined && { skillContent: given.skill_content }),
    ...(given.write_autonomy !== undefined && { writeAutonomy: given.write_autonomy }),
    ...(given.dashboard_template !== undefined && { dashboardTemplate: given.dashboard_template }),
    ...(config && { config: config.config, configContent: rewriteConfigText(agent.configContent, config.config) }),
  };
  return { ok: true, patch, summary, asked: config?.asked ?? [] };
}

/** Connectors of a model's making begin under `permissions.ask`, so the config that comes back may say more than the one that was proposed. */
function checkConfig(value: unknown, before: AgentConfig | null): Checked<{ config: AgentConfig } & Asked> {
  const options = { isKnownModel: (id: string) => models().find(id) !== null };
  const proposed = checkAgentConfig(value, options);
  const { config, asked } = proposed.ok ? askBeforeConnectors(before, proposed.config) : { config: value, asked: [] };
  const checked = asked.length === 0 ? proposed : checkAgentConfig(config, options);
  if (checked.ok) return { ok: true, config: checked.config, asked };
  return {
    ok: false,
    problems: checked.issues
      .slice(0, PROBLEMS_SHOWN)
      .map((issue) => describeIssue({ path: ["config", ...issue.path], message: issue.message })),
  };
}

function dashboardProblems(template: unknown): string[] {
  if (template === null) return [];
  const checked = checkDashboardTemplate(template);
  return checked.ok
    ? []
    : checked.issues
        .slice(0, PROBLEMS_SHOWN)
        .map((issue) => describeIssue({ path: ["dashboard_template", ...issue.path], message: issue.message }));
}

function skillProblems(text: string): string[] {
  return Buffer.byteLength(text, "utf8") > SKILL_CONTENT_MAX_BYTES
    ? [`skill_content: must have at most ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8`]
    : [];
}

function describeIssue(issue: { path: readonly PropertyKey[]; message: string }): string {
  const path = issue.path.map(String).join(".");
  return path ? `${path}: ${issue.message}` : issue.message;
}
