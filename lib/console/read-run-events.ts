import { readNdjson } from "@/lib/console/read-ndjson";
import type { RunEvent } from "@/lib/model/run/run-event";

/** Three pings missed and more: nothing will come any longer. */
const SILENT_MAX_MILLISECONDS = 45_000;

/**
 * The numbered lines of one connection. `ping` only proves that it lives; `error` ends it, as the end of the stream does. Throws
 * when the connection breaks, stays silent for 45 s, or `signal` aborts (which must also abort the request itself).
 */
export async function* readRunEvents(response: Response, signal: AbortSignal): AsyncGenerator<RunEvent, void, undefined> {
  if (!response.body) return;
  const lines = readNdjson(response.body);
  try {
    for (;;) {
      const next = await withDeadline(lines.next(), signal);
      if (next.done) return;
      const line = next.value;
      if (!isRecord(line) || line.type === "ping") continue;
      if (line.type === "error") return;
      if (isNumbered(line)) yield line;
    }
  } finally {
    // Not awaited: it stands behind a read that may hang until the request is aborted.
    void lines.return();
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Lines fit the contract; a type that is not known here is passed over by whoever shows it. */
function isNumbered(line: Record<string, unknown>): line is Record<string, unknown> & RunEvent {
  return typeof line.sequence_number === "number" && typeof line.run_id === "string" && typeof line.type === "string";
}

function withDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("The stream went silent."));
    const timer = setTimeout(fail, SILENT_MAX_MILLISECONDS);
    signal.addEventListener("abort", fail, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", fail);
    };
    if (signal.aborted) fail();
    promise.then(resolve, reject).finally(settle);
  });
}
