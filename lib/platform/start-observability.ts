import "server-only";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { metrics, setMetrics } from "@/lib/platform/metrics/metrics";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { setTelemetry, telemetry } from "@/lib/platform/telemetry/telemetry";
import { currentService } from "@/lib/service";

/**
 * Begins to count for Prometheus where METRICS_TOKEN says who may read it; else does nothing, and
 * loads nothing.
 */
export async function startMetrics(): Promise<void> {
  if (env().METRICS_TOKEN === "" || metrics()) return;
  const { createMetrics } = await import("@/lib/platform/metrics/create-metrics");
  setMetrics(createMetrics());
}

/**
 * Begins to send traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says to whom; else does nothing, and
 * loads nothing.
 */
export async function startTelemetry(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = env();
  if (endpoint === "" || telemetry()) return;
  const { openTelemetry } = await import("@/lib/platform/telemetry/open-telemetry");
  const made = openTelemetry({ endpoint, serviceName });
  setTelemetry(made);
  currentService().beforeClose(() => made.close());
  processHooks().flushTelemetry = () => made.flush();
  log.info({ endpoint: new URL(endpoint).origin }, "traces are sent");
}
