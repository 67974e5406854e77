import { z } from "zod";
import { isJsonPointer, JSON_POINTER_MAX_CHARACTERS } from "@/lib/model/dashboard/json-pointer";
import { checkJsonValue, type JsonIssue } from "@/lib/model/json-schema/json-value";

/** Columns of a dashboard's grid. */
const DASHBOARD_COLUMNS = 12;
/** Most widgets of a dashboard. */
const DASHBOARD_MAX_WIDGETS = 24;

const WIDGET_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const MAX_ROWS = 500;
const ROW_MAX_HEIGHT = 24;

const pointer = z
  .string()
  .max(JSON_POINTER_MAX_CHARACTERS)
  .refine(isJsonPointer, "Must be a JSON Pointer: empty, or /key/0/key.");
const title = z.string().max(255);
const limit = z.int().min(1).max(100);
const field = z.string().min(1).max(200).describe("A key of each row, or a JSON Pointer into it.");
const format = z
  .enum(["number", "currency", "percent", "date", "duration", "bytes"])
  .describe(
    "percent takes a share (0.42 is 42 %), duration seconds, bytes bytes, date an ISO 8601 " +
      "text or milliseconds since 1970.",
  );
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .describe("ISO 4217 code for the format currency.");

const source = z
  .strictObject({
    from: z
      .enum(["last_result", "run_history", "usage", "literal"])
      .describe(
        "last_result: the result of the newest completed run, with run_id, completed_at and " +
          "credits. run_history: the newest runs as rows of run_id, status, model, created_at, " +
          "started_at, completed_at, duration_seconds, credits, text, data, error, metadata. " +
          "usage: the account's usage, with this agent's share of the last 24 hours as " +
          "agent.credits and agent.runs. literal: value.",
      ),
    path: pointer.optional().describe("What to take from the source; the whole of it by default."),
    limit: limit.optional().describe("Most rows to take; 20 runs of run_history by default."),
    value: z.unknown().optional().describe("The value of the source literal."),
  })
  .superRefine((given, context) => {
    if (given.from === "literal" && given.value === undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Is required for literal." });
    if (given.from !== "literal" && given.value !== undefined)
      context.addIssue({ code: "custom", path: ["value"], message: "Is for literal only." });
  });

const any = { title: title.optional(), description: z.string().max(1_000).optional() };
const fed = { ...any, source: source.optional() };

const widget = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("metric"),
    ...fed,
    format: format.optional(),
    currency: currency.optional(),
    label: z.string().max(100).optional(),
  }),
  z.strictObject({
    type: z.literal("chart"),
    ...fed,
    chart: z.enum(["line", "bar", "area"]).optional().describe("line by default."),
    x: field.optional(),
    y: z.union([field, z.array(field).min(1).max(6)]).optional(),
    format: format.optional(),
    currency: currency.optional(),
  }),
  z.strictObject({
    type: z.literal("table"),
    ...fed,
    columns: z
      .array(
        z.strictObject({
          key: field,
          label: z.string().max(100).optional(),
          format: format.optional(),
          currency: currency.optional(),
        }),
      )
      .min(1)
      .max(20)
      .optional()
      .describe("The rows' own keys by default."),
  }),
  z.strictObject({
    type: z.literal("markdown"),
    ...fed,
    text: z.string().max(20_000).optional().describe("Text to show where there is no source."),
  }),
  z.strictObject({
    type: z.literal("list"),
    ...fed,
    item: field.optional().describe("What to show of each item; the item itself by default."),
    format: format.optional(),
  }),
  z.strictObject({ type: z.literal("artifacts"), ...fed, limit: limit.optional() }),
  z.strictObject({ type: z.literal("runs"), ...fed, limit: limit.optional() }),
  z.strictObject({
    type: z.literal("run_button"),
    ...fed,
    label: z.string().min(1).max(100).optional(),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Input of the run that the button starts."),
  }),
]);

const place = z.strictObject({
  i: z.string().regex(WIDGET_ID).describe("Id of the widget that stands here."),
  x: z
    .int()
    .min(0)
    .max(DASHBOARD_COLUMNS - 1),
  y: z.int().min(0).max(MAX_ROWS),
  w: z.int().min(1).max(DASHBOARD_COLUMNS),
  h: z.int().min(1).max(ROW_MAX_HEIGHT),
});

/**
 * A dashboard template as it is written: strict. `checkDashboardTemplate` adds the bounds of
 * hostile input.
 */
const dashboardTemplateSchema = z
  .strictObject({
    version: z.literal(1),
    title,
    layout: z
      .array(place)
      .max(DASHBOARD_MAX_WIDGETS)
      .describe("Where each widget stands on a grid of 12 columns."),
    widgets: z
      .record(z.string().regex(WIDGET_ID), widget)
      .describe("The widgets by id, at most 24."),
  })
  .superRefine(layoutFitsWidgets);

/** A dashboard template. */
export type DashboardTemplate = z.infer<typeof dashboardTemplateSchema>;
/** One widget of a dashboard. */
export type DashboardWidget = DashboardTemplate["widgets"][string];
/** Where a widget gets its value from. */
export type DashboardSource = z.infer<typeof source>;
/** How a dashboard writes a value. */
export type DashboardFormat = z.infer<typeof format>;

type Place = { i: string; x: number; w: number };

/**
 * Every place has a widget, every widget exactly one place, and none of them reaches beyond the
 * twelfth column.
 */
function layoutFitsWidgets(
  { layout, widgets }: { layout: Place[]; widgets: Record<string, unknown> },
  context: z.RefinementCtx,
): void {
  const placed = new Set<string>();
  if (Object.keys(widgets).length > DASHBOARD_MAX_WIDGETS) {
    context.addIssue({
      code: "custom",
      path: ["widgets"],
      message: `A dashboard has at most ${DASHBOARD_MAX_WIDGETS} widgets.`,
    });
  }
  for (const [index, { i, x, w }] of layout.entries()) {
    const report = (key: string, message: string) =>
      context.addIssue({ code: "custom", path: ["layout", index, key], message });
    if (!Object.hasOwn(widgets, i)) report("i", `There is no widget ${i}.`);
    if (placed.has(i)) report("i", `The widget ${i} has a place already.`);
    if (x + w > DASHBOARD_COLUMNS) report("w", `Reaches beyond column ${DASHBOARD_COLUMNS}.`);
    placed.add(i);
  }
  for (const id of Object.keys(widgets)) {
    if (!placed.has(id))
      context.addIssue({
        code: "custom",
        path: ["widgets", id],
        message: "Has no place in the layout.",
      });
  }
}

/** Longest template, written as JSON without spaces. */
export const DASHBOARD_MAX_CHARACTERS = 131_072;

const MAX_DEPTH = 24;
const MAX_VALUES = 8_000;
const ISSUES_MAX = 20;

/** What `checkDashboardTemplate` answers. */
type CheckedDashboardTemplate =
  | { ok: true; template: DashboardTemplate }
  | { ok: false; issues: JsonIssue[] };

/**
 * Checks a `dashboard_template` of any origin (at most 20 issues). What comes back says exactly
 * what was given.
 */
export function checkDashboardTemplate(value: unknown): CheckedDashboardTemplate {
  const problem = checkJsonValue(value, { maxDepth: MAX_DEPTH, maxValues: MAX_VALUES });
  if (problem !== null) return { ok: false, issues: [problem] };
  if (JSON.stringify(value).length > DASHBOARD_MAX_CHARACTERS) {
    return {
      ok: false,
      issues: [
        {
          path: [],
          message: `A dashboard template has at most ${DASHBOARD_MAX_CHARACTERS} characters.`,
        },
      ],
    };
  }
  const result = dashboardTemplateSchema.safeParse(value);
  if (result.success) return { ok: true, template: result.data };
  return { ok: false, issues: result.error.issues.flatMap(toIssues).slice(0, ISSUES_MAX) };
}

function toIssues(issue: z.core.$ZodIssue): JsonIssue[] {
  // Paths of JSON hold no symbols.
  const path = issue.path as (string | number)[];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys
    .slice(0, ISSUES_MAX)
    .map((key) => ({ path: [...path, key], message: "Is not a known key.", atKey: true }));
}

/**
 * The JSON Schema (2020-12) of the dashboard template, as `/v1/schemas/dashboard-template.json`
 * serves it.
 */
export const DASHBOARD_TEMPLATE_JSON_SCHEMA = {
  ...z.toJSONSchema(dashboardTemplateSchema, { target: "draft-2020-12", unrepresentable: "any" }),
  title: "Dashboard template",
  description:
    "Widgets on a grid of 12 columns. Every widget has one place in the layout. Unknown keys " +
    "are refused; there is no code and no query.",
};
