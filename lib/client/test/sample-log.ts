import type { LoggedEvent } from "../schemas";
import { RUN_ID } from "./sample-run";

/** A finished run's events: `run.created`, one delta a text, and the terminal one. */
export function sampleLog(texts: readonly string[]): LoggedEvent[] {
  const line = (sequence_number: number) => ({ sequence_number, run_id: RUN_ID, created_at: "2026-01-01T00:00:00.000Z" });
  const result = { text: texts.join(""), artifacts: [] };
  return [
    { type: "run.created", ...line(0), render_protocol: 1, status: "pending", agent_id: null, conversation_id: null },
    ...texts.map((delta, index) => ({ type: "output_text.delta" as const, ...line(index + 1), message_id: "m", delta })),
    { type: "run.completed", ...line(texts.length + 1), status: "completed", result, usage: { credits: 0, breakdown: [] }, agent_id: null },
  ];
}
