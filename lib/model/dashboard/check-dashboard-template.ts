import { z } from "zod";
import { type DashboardTemplate, dashboardTemplateSchema } from "@/lib/model/dashboard/dashboard-template-schema";
import { checkJsonValue, type JsonIssue } from "@/lib/model/json-schema/json-value";

/** Longest template, written as JSON without spaces. */
export const DASHBOARD_MAX_CHARACTERS = 131_072;

const MAX_DEPTH = 24;
const MAX_VALUES = 8_000;
const ISSUES_MAX = 20;

/** What `checkDashboardTemplate` answers. */
type CheckedDashboardTemplate = { ok: true; template: DashboardTemplate } | { ok: false; issues: JsonIssue[] };

/** Checks a `dashboard_template` of any origin (at most 20 issues). What comes back says exactly what was given. */
export function checkDashboardTemplate(value: unknown): CheckedDashboardTemplate {
  const problem = checkJsonValue(value, { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES });
  if (problem !== null) return { ok: false, issues: [problem] };
  if (JSON.stringify(value).length > DASHBOARD_MAX_CHARACTERS) {
    return { ok: false, issues: [{ path: [], message: `A dashboard template has at most ${DASHBOARD_MAX_CHARACTERS} characters.` }] };
  }
  const result = dashboardTemplateSchema.safeParse(value);
  if (result.success) return { ok: true, template: result.data };
  return { ok: false, issues: result.error.issues.flatMap(toIssues).slice(0, ISSUES_MAX) };
}

function toIssues(issue: z.core.$ZodIssue): JsonIssue[] {
  // Paths of JSON hold no symbols.
  const path = issue.path as (string | number)[];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys.slice(0, ISSUES_MAX).map((key) => ({ path: [...path, key], message: "Is not a known key.", atKey: true }));
}

/** The JSON Schema (2020-12) of the dashboard template, as `/v1/schemas/dashboard-template.json` serves it. */
export const DASHBOARD_TEMPLATE_JSON_SCHEMA = {
  ...z.toJSONSchema(dashboardTemplateSchema, { target: "draft-2020-12", unrepresentable: "any" }),
  title: "Dashboard template",
  description:
    "Widgets on a grid of 12 columns. Every widget has one place in the layout. Unknown keys are refused; there is no code and no query.",
};
