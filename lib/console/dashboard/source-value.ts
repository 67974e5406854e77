import type { Run } from "@/lib/client/schemas";
import type { DashboardData } from "@/lib/console/dashboard/dashboard-data";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { DashboardSource } from "@/lib/model/dashboard/dashboard-template-schema";
import { resolvePointer } from "@/lib/model/dashboard/resolve-pointer";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

/** Runs that the source `run_history` gives when it names no limit. */
export const HISTORY_DEFAULT_RUNS = 20;

const NAMES: Record<DashboardSource["from"], string> = {
  last_result: "the last result",
  run_history: "the runs",
  usage: "the usage",
  literal: "the literal value",
};

/** The value of a widget's source: the whole of it, what its `path` points at, and of a list the first `limit`. */
export function sourceValue(source: DashboardSource, data: DashboardData): Finding<JsonValue> {
  const whole = wholeOf(source, data);
  if (whole.state !== "there") return whole;
  const value = resolvePointer(whole.value, source.path ?? "");
  if (value === undefined) return { state: "missing", why: `There is nothing at ${source.path} in ${NAMES[source.from]}.` };
  return { state: "there", value: Array.isArray(value) && source.limit ? value.slice(0, source.limit) : value };
}

function wholeOf(source: DashboardSource, data: DashboardData): Finding<JsonValue> {
  switch (source.from) {
    case "literal":
      // The template came as JSON.
      return { state: "there", value: source.value as JsonValue };
    case "last_result":
      return lastResult(data);
    case "run_history":
      if (data.runs === undefined) return { state: "loading" };
      return { state: "there", value: data.runs.slice(0, source.limit ?? HISTORY_DEFAULT_RUNS).map(toHistoryRow) };
    case "usage":
      return usageOf(data);
  }
}

/** The result of the newest completed run, and which run that was. */
function lastResult({ lastRun }: DashboardData): Finding<JsonValue> {
  if (lastRun === undefined) return { state: "loading" };
  if (lastRun === null) return { state: "missing", why: "No run of this agent has completed yet." };
  const { run_id, completed_at, result, usage } = lastRun;
  // What an answer of the API carries is JSON by definition.
  return { state: "there", value: { ...result, run_id, completed_at, credits: usage?.credits ?? 0 } as unknown as JsonValue };
}

/** The account's usage as `GET /v1/account/usage` answers it, with this agent's share of the last 24 hours as `agent`. */
function usageOf({ usage, agentId }: DashboardData): Finding<JsonValue> {
  if (usage === undefined) return { state: "loading" };
  if (usage === null) return { state: "missing", why: "The usage could not be read." };
  const own = usage.by_agent.find((row) => row.agent_id === agentId);
  const agent = { credits: own?.credits ?? 0, runs: own?.runs ?? 0 };
  return { state: "there", value: { ...usage, agent } };
}

/** A run as the source `run_history` shows it: flat, so that a column or an axis can name a key. Durations are in seconds. */
function toHistoryRow(run: Run): JsonObject {
  const took = run.started_at && run.completed_at ? (Date.parse(run.completed_at) - Date.parse(run.started_at)) / 1000 : null;
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
