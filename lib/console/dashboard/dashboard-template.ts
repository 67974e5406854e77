import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import type { TextError } from "@/lib/model/agent-config/yaml/scan-yaml";
import {
  checkDashboardTemplate,
  DASHBOARD_MAX_CHARACTERS,
  type DashboardTemplate,
} from "@/lib/model/dashboard/dashboard-template-schema";
/** A template that shows something for any agent: where the editor begins when there is none. */
export const STARTER_TEMPLATE: DashboardTemplate = {
  version: 1,
  title: "Overview",
  layout: [
    { i: "credits", x: 0, y: 0, w: 4, h: 2 },
    { i: "time", x: 4, y: 0, w: 4, h: 2 },
    { i: "again", x: 8, y: 0, w: 4, h: 2 },
    { i: "cost", x: 0, y: 2, w: 6, h: 4 },
    { i: "runs", x: 6, y: 2, w: 6, h: 4 },
    { i: "answer", x: 0, y: 6, w: 12, h: 5 },
  ],
  widgets: {
    credits: {
      type: "metric",
      title: "Credits, last 24 hours",
      source: { from: "usage", path: "/agent/credits" },
      format: "number",
    },
    time: {
      type: "metric",
      title: "Last run took",
      source: { from: "run_history", path: "/0/duration_seconds" },
      format: "duration",
    },
    again: { type: "run_button", title: "Run it again", label: "Run agent" },
    cost: {
      type: "chart",
      title: "Credits by run",
      chart: "bar",
      source: { from: "run_history", limit: 20 },
      x: "created_at",
      y: "credits",
    },
    runs: { type: "runs", title: "Newest runs", limit: 8 },
    answer: {
      type: "markdown",
      title: "Last answer",
      source: { from: "last_result", path: "/text" },
    },
  },
};

/** Room for the spaces of a text that people indent. */
const TEXT_MAX_CHARACTERS = 4 * DASHBOARD_MAX_CHARACTERS;

export type CheckedTemplateText =
  | { ok: true; template: DashboardTemplate }
  | { ok: false; errors: TextError[] };

/**
 * Reads a template that somebody writes, as JSON or YAML; what is wrong with it has its line and
 * column.
 */
export function checkTemplateText(text: string): CheckedTemplateText {
  const loaded = loadYaml(text, { maxCharacters: TEXT_MAX_CHARACTERS });
  if (!loaded.ok) return loaded;
  const checked = checkDashboardTemplate(loaded.value);
  return checked.ok ? checked : { ok: false, errors: checked.issues.map(loaded.errorAt) };
}

/**
 * Templates that are being written, by agent, in this page's memory: a change of tab or page does
 * not lose them, a reload does. Only the browser's code may fill it.
 */
export const TEMPLATE_DRAFTS = new Map<string, string>();
