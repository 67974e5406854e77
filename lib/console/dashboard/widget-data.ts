import type { AccountUsage, Run } from "@/lib/client/schemas";
import type {
  DashboardSource,
  DashboardTemplate,
} from "@/lib/model/dashboard/dashboard-template-schema";
import { resolvePointer } from "@/lib/model/dashboard/json-pointer";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { isAgentsWork } from "@/lib/model/run/run-status";

/** What a dashboard's sources draw from. `undefined` is still on its way; `null` is not there. */
export interface DashboardData {
  agentId: string;
  /** The agent's newest completed run. */
  lastRun: Run | null | undefined;
  /** The agent's runs, newest first. */
  runs: readonly Run[] | undefined;
  usage: AccountUsage | null | undefined;
}

/**
 * What a widget has to show, or why it has nothing: every outcome is shown in the widget's own box.
 */
export type WidgetValue<T> =
  | { state: "ready"; value: T }
  | { state: "loading" }
  | { state: "missing" | "unfit"; reason: string };

/** Goes on with a value that is there; everything else stays what it is. */
export function mapValue<T, Next>(
  from: WidgetValue<T>,
  next: (value: T) => WidgetValue<Next>,
): WidgetValue<Next> {
  return from.state === "ready" ? next(from.value) : from;
}

/** Whether the run is the agent at work: creating or editing it is not. */
export function isAgentRun(run: Run): boolean {
  return isAgentsWork(run.kind);
}

const RUNS_MAX = 100;

/** How many runs the widgets of a template ask for at most. */
export function historyLimit({ widgets }: DashboardTemplate): number {
  const asked = Object.values(widgets).flatMap((widget) => [
    widget.source?.from === "run_history" ? (widget.source.limit ?? 0) : 0,
    widget.type === "runs" ? (widget.limit ?? 0) : 0,
  ]);
  return Math.min(RUNS_MAX, Math.max(HISTORY_DEFAULT_RUNS, ...asked));
}

/** Runs that the source `run_history` gives when it names no limit. */
const HISTORY_DEFAULT_RUNS = 20;

const NAMES: Record<DashboardSource["from"], string> = {
  last_result: "the last result",
  run_history: "the runs",
  usage: "the usage",
  literal: "the literal value",
};

/**
 * The value of a widget's source: the whole of it, what its `path` points at, and of a list the
 * first `limit`.
 */
export function sourceValue(source: DashboardSource, data: DashboardData): WidgetValue<JsonValue> {
  const whole = wholeOf(source, data);
  if (whole.state !== "ready") return whole;
  const value = resolvePointer(whole.value, source.path ?? "");
  if (value === undefined)
    return {
      state: "missing",
      reason: `There is nothing at ${source.path} in ${NAMES[source.from]}.`,
    };
  return {
    state: "ready",
    value: Array.isArray(value) && source.limit ? value.slice(0, source.limit) : value,
  };
}

function wholeOf(source: DashboardSource, data: DashboardData): WidgetValue<JsonValue> {
  switch (source.from) {
    case "literal":
      // The template came as JSON.
      return { state: "ready", value: source.value as JsonValue };
    case "last_result":
      return lastResult(data);
    case "run_history":
      if (data.runs === undefined) return { state: "loading" };
      return {
        state: "ready",
        value: data.runs.slice(0, source.limit ?? HISTORY_DEFAULT_RUNS).map(toHistoryRow),
      };
    case "usage":
      return usageOf(data);
  }
}

/** The result of the newest completed run, and which run that was. */
function lastResult({ lastRun }: DashboardData): WidgetValue<JsonValue> {
  if (lastRun === undefined) return { state: "loading" };
  if (lastRun === null)
    return { state: "missing", reason: "No run of this agent has completed yet." };
  const { run_id, completed_at, result, usage } = lastRun;
  // What an answer of the API carries is JSON by definition.
  return {
    state: "ready",
    value: {
      ...result,
      run_id,
      completed_at,
      credits: usage?.credits ?? 0,
    } as unknown as JsonValue,
  };
}

/**
 * The account's usage as `GET /v1/account/usage` answers it, with this agent's share of the last 24
 * hours as `agent`.
 */
function usageOf({ usage, agentId }: DashboardData): WidgetValue<JsonValue> {
  if (usage === undefined) return { state: "loading" };
  if (usage === null) return { state: "missing", reason: "The usage could not be read." };
  const own = usage.by_agent.find((row) => row.agent_id === agentId);
  const agent = { credits: own?.credits ?? 0, runs: own?.runs ?? 0 };
  return { state: "ready", value: { ...usage, agent } };
}

/**
 * A run as the source `run_history` shows it: flat, so that a column or an axis can name a key.
 * Durations are in seconds.
 */
function toHistoryRow(run: Run): JsonObject {
  const took =
    run.started_at && run.completed_at
      ? (Date.parse(run.completed_at) - Date.parse(run.started_at)) / 1000
      : null;
  return {
    run_id: run.run_id,
    status: run.status,
    kind: run.kind,
    model: run.model,
    created_at: run.created_at,
    started_at: run.started_at,
    completed_at: run.completed_at,
    duration_seconds: took,
    credits: run.usage?.credits ?? 0,
    text: run.result?.text ?? null,
    // What an answer of the API carries is JSON by definition.
    data: (run.result?.data ?? null) as JsonValue,
    error: run.error?.code ?? null,
    metadata: run.metadata,
  };
}

export type Place = DashboardTemplate["layout"][number];

/**
 * The widgets' places without overlaps and without rows that are empty all across, in the order in
 * which they are read: this is also how one column on a phone stacks them.
 */
export function readingOrder(layout: Place[]): Place[] {
  const settled = settleLayout(layout).toSorted(
    (left, right) => left.y - right.y || left.x - right.x,
  );
  const filled = new Set(
    settled.flatMap(({ y, h }) => Array.from({ length: h }, (_, row) => y + row)),
  );
  return settled.map((place) => ({
    ...place,
    y: [...filled].filter((row) => row < place.y).length,
  }));
}

/**
 * The layout as it can be drawn: widgets that would lie on each other move down until they do not,
 * the upper left one first.
 * The order of the places stays.
 */
export function settleLayout(layout: Place[]): Place[] {
  const settled = new Map<Place, Place>();
  const order = [...layout].sort((left, right) => left.y - right.y || left.x - right.x);
  for (const place of order) {
    let y = place.y;
    for (
      let below = blocker(place, y, settled);
      below !== undefined;
      below = blocker(place, y, settled)
    )
      y = below.y + below.h;
    settled.set(place, { ...place, y });
  }
  return layout.map((place) => settled.get(place) ?? place);
}

function blocker(place: Place, y: number, settled: Map<Place, Place>): Place | undefined {
  const overlaps = (other: Place) =>
    place.x < other.x + other.w &&
    other.x < place.x + place.w &&
    y < other.y + other.h &&
    other.y < y + place.h;
  return [...settled.values()].find(overlaps);
}
