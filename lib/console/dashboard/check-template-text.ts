import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import type { TextError } from "@/lib/model/agent-config/yaml/text-error";
import { checkDashboardTemplate, DASHBOARD_MAX_CHARACTERS } from "@/lib/model/dashboard/check-dashboard-template";
import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";

/** Room for the spaces of a text that people indent. */
const TEXT_MAX_CHARACTERS = 4 * DASHBOARD_MAX_CHARACTERS;

export type CheckedTemplateText = { ok: true; template: DashboardTemplate } | { ok: false; errors: TextError[] };

/** Reads a template that somebody writes, as JSON or YAML; what is wrong with it has its line and column. */
export function checkTemplateText(text: string): CheckedTemplateText {
  const loaded = loadYaml(text, { maxCharacters: TEXT_MAX_CHARACTERS });
  if (!loaded.ok) return loaded;
  const checked = checkDashboardTemplate(loaded.value);
  return checked.ok ? checked : { ok: false, errors: checked.issues.map(loaded.errorAt) };
}
