import type { StartOptions } from "./runs";

/** A start's options in the words of a request. */
export function startInit({ signal, idempotencyKey }: StartOptions): { signal?: AbortSignal; headers?: Record<string, string> } {
  return { signal, ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }) };
}
