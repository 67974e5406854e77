import "server-only";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { processHooks } from "@/lib/platform/process-hooks.mjs";
import { setTelemetry, telemetry } from "@/lib/platform/telemetry/telemetry";

/** Begins to send traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says to whom; else does nothing, and loads nothing. */
export async function startTelemetry(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = env();
  if (endpoint === "" || telemetry()) return;
  const { openTelemetry } = await import("@/lib/platform/telemetry/open-telemetry");
  const made = openTelemetry({ endpoint, serviceName });
  setTelemetry(made);
  processHooks().flushTelemetry = () => made.flush();
  log.info({ endpoint: new URL(endpoint).origin }, "traces are sent");
}
