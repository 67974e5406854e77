import "server-only";
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { once } from "@/lib/platform/once";

/** What a process counts of itself, for Prometheus. No label ever names an account, a run or anything else of which there may be any number. */
export interface Metrics {
  registry: Registry;
  httpRequests: Histogram<"kind" | "method" | "status">;
  steps: Histogram<"step" | "outcome">;
  modelCalls: Histogram<"model" | "outcome">;
  firstTokens: Histogram<"model">;
  tokens: Counter<"model" | "direction">;
  sql: Histogram<"statement">;
  pool: Gauge<"pool" | "state">;
}

const holder = (): { metrics: Metrics | null } => once("metrics", () => ({ metrics: null }));

/** Null without METRICS_TOKEN: nobody could read them, so nothing is counted. */
export function metrics(): Metrics | null {
  return holder().metrics;
}

export function setMetrics(made: Metrics | null): void {
  holder().metrics = made;
}
