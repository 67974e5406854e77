import "server-only";
import { metrics } from "@/lib/platform/metrics/metrics";
import type { SeenRequest } from "./request-record";

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);

/** Counts a request for Prometheus. A client can make up methods, but no new series. */
export function countRequest({ kind, method, status, duration_ms }: SeenRequest): void {
  const labels = {
    kind,
    method: METHODS.has(method) ? method : "other",
    status: status === null ? "none" : `${Math.trunc(status / 100)}xx`,
  };
  metrics()?.httpRequests.observe(labels, duration_ms / 1000);
}
