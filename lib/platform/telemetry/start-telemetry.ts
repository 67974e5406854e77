import "server-only";
import { env } from "@/lib/env";
import { log } from "@/lib/platform/log";
import { setTelemetry, telemetry } from "./telemetry";

/** Where `scripts/lib/serve.mjs` finds what to do with the last spans when the service stops. */
const FLUSH = Symbol.for("lathe.flush-telemetry");

/** Begins to send traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says to whom; else does nothing, and loads nothing. */
export async function startTelemetry(): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = env();
  if (endpoint === "" || telemetry()) return;
  const { openTelemetry } = await import("./open-telemetry");
  const made = openTelemetry({ endpoint, serviceName });
  setTelemetry(made);
  (globalThis as unknown as Record<symbol, () => Promise<void>>)[FLUSH] = () => made.flush(); // the global object has no index signature for symbols
  log.info({ endpoint: new URL(endpoint).origin }, "traces are sent");
}
