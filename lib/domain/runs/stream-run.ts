import "server-only";
import { signEventLine } from "@/lib/domain/artifacts/sign-artifacts";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { STREAM_PING_SECONDS } from "@/lib/model/limits";
import { log } from "@/lib/platform/log";

/** A run whose log is read, and the account that owns it and what it made. */
export interface LoggedRun {
  id: string;
  accountId: string;
}

/**
 * A run's event log as NDJSON bytes: what is stored after sequence number `after`, then live, up to the terminal line, with a `ping` after
 * 10 s of silence. The run goes on when the reader goes away. If the log cannot be followed any further, the last line is an `error`.
 */
export function streamRun(run: LoggedRun, after: number, baseUrl: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const runId = run.id;
  const links = { accountId: run.accountId, baseUrl };
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const stop = () => ended.abort();
  signal.addEventListener("abort", stop, { once: true });
  let last = after;
  let idle: NodeJS.Timeout | undefined;
  const lines = followRunLog(runId, { after, signal: ended.signal })[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        idle = setInterval(() => controller.enqueue(encoder.encode(pingLine(runId))), STREAM_PING_SECONDS * 1000);
      },
      async pull(controller) {
        try {
          const next = await lines.next();
          if (next.done) return finish(controller);
          idle?.refresh();
          last += next.value.length;
          controller.enqueue(encoder.encode(`${next.value.map((line) => signEventLine(line, links)).join("\n")}\n`));
        } catch (error) {
          if (ended.signal.aborted) return finish(controller);
          log.warn({ err: error, run_id: runId }, "a run's stream broke off");
          controller.enqueue(encoder.encode(errorLine(runId, last + 1)));
          finish(controller);
        }
      },
      cancel() {
        clearInterval(idle);
        stop();
      },
    },
    { highWaterMark: 2 },
  );

  function finish(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearInterval(idle);
    signal.removeEventListener("abort", stop);
    controller.close();
  }
}

function pingLine(runId: string): string {
  return `${JSON.stringify({ type: "ping", run_id: runId, created_at: new Date().toISOString() })}\n`;
}

function errorLine(runId: string, sequence: number): string {
  const line = {
    type: "error",
    sequence_number: sequence,
    run_id: runId,
    created_at: new Date().toISOString(),
    code: "STREAM_INTERRUPTED",
    message: "The stream cannot go on, the run may. Fetch the run, or its events from the last number that you saw.",
  };
  return `${JSON.stringify(line)}\n`;
}
