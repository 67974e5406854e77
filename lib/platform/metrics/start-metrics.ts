import "server-only";
import { env } from "@/lib/env";
import { metrics, setMetrics } from "@/lib/platform/metrics/metrics";

/** Begins to count for Prometheus where METRICS_TOKEN says who may read it; else does nothing, and loads nothing. */
export async function startMetrics(): Promise<void> {
  if (env().METRICS_TOKEN === "" || metrics()) return;
  const { createMetrics } = await import("@/lib/platform/metrics/create-metrics");
  setMetrics(createMetrics());
}
