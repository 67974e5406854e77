import "server-only";
import type { RunEventBody } from "@/lib/model/run/run-event";

/** An event as one line of NDJSON. `type` stands first, so that a terminal line is known by its beginning. `createdAt` in milliseconds since 1970. */
export function toEventLine(runId: string, sequence: number, createdAt: number, body: RunEventBody): string {
  const { type, ...rest } = body;
  return JSON.stringify({ type, sequence_number: sequence, run_id: runId, created_at: new Date(createdAt).toISOString(), ...rest });
}

export function isTerminalLine(line: string): boolean {
  return line.startsWith('{"type":"run.completed"') || line.startsWith('{"type":"run.failed"');
}
