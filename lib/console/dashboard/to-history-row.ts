import type { Run } from "@/lib/console/shapes/run";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

/** A run as the source `run_history` shows it: flat, so that a column or an axis can name a key. Durations are in seconds. */
export function toHistoryRow(run: Run): JsonObject {
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
