const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Whether a connector's secret may travel in this header: not in one that frames the request, or that the service itself sets. */
export function isSettableHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return !RESERVED.has(lower) && !lower.startsWith("proxy-");
}
