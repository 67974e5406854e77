import type { Agent } from "@/lib/client/schemas";
import { AUTONOMY_LABELS } from "@/lib/console/autonomy-labels";

/** What an agent says: the fields that versions keep and compare. */
export type AgentContent = Pick<
  Agent,
  "name" | "description" | "version" | "write_autonomy" | "skill_content" | "config_content" | "dashboard_template"
>;

/** The sides of an agent that a version keeps; `line` ones are a few words, the others whole texts. */
export const VERSION_PARTS = [
  { part: "name", label: "Name", kind: "line" },
  { part: "description", label: "Description", kind: "line" },
  { part: "version", label: "Version", kind: "line" },
  { part: "write_autonomy", label: "Write autonomy", kind: "line" },
  { part: "skill_content", label: "Skill", kind: "markdown" },
  { part: "config_content", label: "Config", kind: "yaml" },
  { part: "dashboard_template", label: "Dashboard", kind: "json" },
] as const;

export type VersionPart = (typeof VERSION_PARTS)[number];

/** A part as text to show and to compare; empty where there is nothing. */
export function textOfPart(content: AgentContent, { part }: VersionPart): string {
  if (part === "write_autonomy") return AUTONOMY_LABELS[content.write_autonomy];
  if (part !== "dashboard_template") return content[part] ?? "";
  const template = content.dashboard_template;
  return template === null ? "" : JSON.stringify(template, null, 2);
}

/** The parts that say something else in `after` than in `before`. */
export function changedParts(before: AgentContent, after: AgentContent): VersionPart[] {
  return VERSION_PARTS.filter((part) => textOfPart(before, part) !== textOfPart(after, part));
}
