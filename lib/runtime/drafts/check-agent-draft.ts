import "server-only";
import type { DraftedAgent } from "@/lib/model/agent/agent-fields";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  type CheckAgentConfigOptions,
  checkAgentConfig,
} from "@/lib/model/agent-config/check-agent-config";
import { configToText, rewriteConfigText } from "@/lib/model/agent-config/config-text";
import { type KeyOrder, keyOrderOfText } from "@/lib/model/agent-config/key-order";
import { askBeforeConnectors } from "@/lib/model/agent-config/permissions";
import { checkDashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";
import {
  type ConfigEdit,
  CREATE_AGENT_TOOL,
  EDIT_AGENT_TOOL,
} from "@/lib/runtime/prompts/agent-tools";

export interface AgentDraft
  extends Omit<DraftedAgent, "config" | "keyOrder" | "dashboardTemplate"> {
  config: AgentConfig;
  /** Of its text; what counts where that is stored. */
  keyOrder: KeyOrder | null;
  dashboardTemplate: unknown;
}

/** What changes; an absent field stays. */
export type AgentPatch = Partial<AgentDraft>;

const PROBLEMS_SHOWN = 10;

/** Connectors that were put under `permissions.ask`, because a model wrote them. */
interface Asked {
  asked: string[];
}

type Checked<T> = ({ ok: true } & T) | { ok: false; problems: string[] };

export type CheckedDraft = Checked<{ draft: AgentDraft; leftOut: readonly string[] } & Asked>;
export type CheckedPatch = Checked<{ patch: AgentPatch; summary: string | null } & Asked>;

interface CheckDraftOptions extends CheckAgentConfigOptions {
  /** Hosts that whoever asked for it named in their own words. */
  namedHosts?: readonly string[];
}

/** Whether a whole agent as a model proposes it may be stored. */
export function checkAgentDraft(input: unknown, options: CheckDraftOptions = {}): CheckedDraft {
  const parsed = CREATE_AGENT_TOOL.schema.safeParse(input);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.slice(0, PROBLEMS_SHOWN).map(describeIssue) };
  const { name, description, skill_content, config, dashboard_template, write_autonomy } =
    parsed.data;
  const problems = [
    ...skillProblems(skill_content),
    ...dashboardProblems(dashboard_template ?? null),
  ];
  const checkedConfig = checkConfig(config, null, write_autonomy, options);
  if (!checkedConfig.ok) return { ok: false, problems: [...problems, ...checkedConfig.problems] };
  if (problems.length > 0) return { ok: false, problems };
  const configContent = configToText(checkedConfig.config);
  const draft: AgentDraft = {
    name: name.trim(),
    description: description.trim() || null,
    skillContent: skill_content,
    config: checkedConfig.config,
    configContent,
    keyOrder: keyOrderOfText(configContent),
    dashboardTemplate: dashboard_template ?? null,
    writeAutonomy: write_autonomy,
  };
  return { ok: true, draft, leftOut: parsed.data.left_out ?? [], asked: checkedConfig.asked };
}

/**
 * Whether a change of an agent as a model proposes it may be stored, and what it says about it. It
 * may turn out to change nothing.
 */
export function checkAgentPatch(
  input: unknown,
  agent: Pick<AgentDraft, "config" | "configContent" | "skillContent" | "writeAutonomy">,
  options: CheckDraftOptions = {},
): CheckedPatch {
  const parsed = EDIT_AGENT_TOOL.schema.safeParse(input);
  if (!parsed.success)
    return { ok: false, problems: parsed.error.issues.slice(0, PROBLEMS_SHOWN).map(describeIssue) };
  const { summary, skill_edits, config_edits, ...given } = parsed.data;
  const skill = skill_edits && editText(given.skill_content ?? agent.skillContent, skill_edits);
  const edited = config_edits && editConfig(given.config ?? agent.config, config_edits);
  const unfit = [
    ...(skill && !skill.ok ? skill.problems : []),
    ...(edited && !edited.ok ? edited.problems : []),
  ];
  if (unfit.length > 0) return { ok: false, problems: unfit.slice(0, PROBLEMS_SHOWN) };
  const skillContent = skill?.ok ? skill.text : given.skill_content;
  const wanted = edited?.ok ? edited.config : given.config;
  const problems = [
    ...(skillContent === undefined ? [] : skillProblems(skillContent)),
    ...dashboardProblems(given.dashboard_template ?? null),
  ];
  const autonomy = given.write_autonomy ?? agent.writeAutonomy;
  const config = wanted === undefined ? null : checkConfig(wanted, agent.config, autonomy, options);
  if (config && !config.ok) return { ok: false, problems: [...problems, ...config.problems] };
  if (problems.length > 0) return { ok: false, problems };
  const patch: AgentPatch = {
    ...(given.name !== undefined && { name: given.name.trim() }),
    ...(given.description !== undefined && { description: given.description }),
    ...(skillContent !== undefined && { skillContent }),
    ...(given.write_autonomy !== undefined && { writeAutonomy: given.write_autonomy }),
    ...(given.dashboard_template !== undefined && { dashboardTemplate: given.dashboard_template }),
    ...(config && configFields(agent.configContent, config.config)),
  };
  return { ok: true, patch, summary: summary ?? null, asked: config?.asked ?? [] };
}

function configFields(before: string, config: AgentConfig) {
  const configContent = rewriteConfigText(before, config);
  return { config, configContent, keyOrder: keyOrderOfText(configContent) };
}

/**
 * Replaces texts one after the other; each must stand there exactly once, so that nothing else is
 * hit.
 */
function editText(
  before: string,
  edits: readonly { old: string; new: string }[],
): Checked<{ text: string }> {
  let text = before;
  const problems: string[] = [];
  for (const [index, edit] of edits.entries()) {
    const at = text.indexOf(edit.old);
    if (at < 0)
      problems.push(
        `skill_edits.${index}.old: does not stand in the skill. Copy it from there, character by ` +
          "character.",
      );
    else if (text.indexOf(edit.old, at + 1) >= 0)
      problems.push(
        `skill_edits.${index}.old: stands in the skill more than once. Give more of the text ` +
          "around the place that is meant.",
      );
    else text = text.slice(0, at) + edit.new + text.slice(at + edit.old.length);
  }
  if (problems.length === 0 && text.trim() === "")
    problems.push("skill_edits: nothing would be left of the skill.");
  return problems.length > 0 ? { ok: false, problems } : { ok: true, text };
}

function editConfig(before: unknown, edits: readonly ConfigEdit[]): Checked<{ config: unknown }> {
  const config = structuredClone(before) as JsonValue; // parsed JSON, or a stored config
  const problems = edits.flatMap((edit, index) => {
    const problem = editPlace(config, pathOf(edit.path), edit);
    return problem === null ? [] : [`config_edits.${index}.path: ${problem}`];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

/** `limits.max_steps` or `/limits/max_steps`. */
function pathOf(path: ConfigEdit["path"]): string[] {
  if (typeof path !== "string") return path.map(String);
  if (!path.startsWith("/")) return path.replace(/\[(\d+|-)\]/g, ".$1").split(".");
  const parts = path.slice(1).split("/");
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Changes one place of `value`; says why it cannot. Maps on the way that are not there are made.
 */
function editPlace(
  value: JsonValue,
  path: readonly string[],
  { value: wanted, remove }: ConfigEdit,
): string | null {
  const [key, ...rest] = path;
  if (key === undefined || key === "__proto__") return "Names no place.";
  if (Array.isArray(value)) {
    const index = key === "-" ? value.length : /^\d{1,6}$/.test(key) ? Number(key) : Number.NaN;
    const isNext = index === value.length && rest.length === 0 && !remove;
    if (!(index < value.length) && !isNext)
      return `There is no item ${key}: the list has ${value.length}.`;
    const item = value[index];
    if (rest.length > 0 && item !== undefined)
      return editPlace(item, rest, { path: [], value: wanted, remove });
    value.splice(index, 1, ...(remove ? [] : [wanted as JsonValue])); // parsed JSON
    return null;
  }
  if (!isJsonObject(value))
    return `Nothing can stand below ${key}: there is a plain value above it.`;
  if (rest.length > 0) {
    if (!Object.hasOwn(value, key)) {
      if (remove) return `There is no ${key}.`;
      value[key] = rest[0] === "-" ? [] : {};
    }
    return editPlace(value[key] ?? null, rest, { path: [], value: wanted, remove });
  }
  if (remove && !Object.hasOwn(value, key)) return `There is no ${key}.`;
  if (remove) delete value[key];
  else value[key] = wanted as JsonValue; // parsed JSON
  return null;
}

/**
 * Connectors of a model's making begin under `permissions.ask`, but for those that the person
 * named, so the config that comes back may say more than the one that was proposed.
 */
function checkConfig(
  value: unknown,
  before: AgentConfig | null,
  autonomy: WriteAutonomy,
  { namedHosts: hosts = [], ...options }: CheckDraftOptions,
): Checked<{ config: AgentConfig } & Asked> {
  const proposed = checkAgentConfig(value, options);
  const { config, asked } = proposed.ok
    ? askBeforeConnectors(before, proposed.config, { hosts, actsAlone: autonomy === "full_auto" })
    : { config: value, asked: [] };
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
        .map((issue) =>
          describeIssue({ path: ["dashboard_template", ...issue.path], message: issue.message }),
        );
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
