import type { Run } from "@/lib/client/schemas";
import { INSIDE_WRITES } from "@/lib/model/agent-config/built-in-tools";

export type RunAction = NonNullable<Run["actions"]>[number];

interface Receipts {
  /** What it wrote, or tried to, beyond the service. */
  outside: RunAction[];
  /** What it kept within the service. */
  inside: RunAction[];
  read: RunAction[];
}

/** A run's calls as a person asks about them. */
export function toReceipts(actions: readonly RunAction[]): Receipts {
  const receipts: Receipts = { outside: [], inside: [], read: [] };
  for (const action of actions) {
    if (action.kind === "read") receipts.read.push(action);
    else if (INSIDE_WRITES.has(action.tool)) receipts.inside.push(action);
    else receipts.outside.push(action);
  }
  return receipts;
}

/**
 * In a sentence, what became of a run's writes outside: that there was none only where none took
 * effect, and every call is known.
 */
export function outsideSentence({ outside }: Receipts, isTruncated: boolean): string {
  const count = (status: RunAction["status"]) =>
    outside.filter((action) => action.status === status).length;
  const done = count("succeeded");
  const unknown = count("unknown");
  if (unknown > 0)
    return (
      `${things(unknown, "write")} outside got no answer: ${unknown === 1 ? "it" : "they"} may ` +
      "have taken effect or not."
    );
  if (done > 0) return `It wrote outside ${done === 1 ? "once" : `${done} times`}.`;
  if (isTruncated) return "It wrote nothing outside in the calls that are shown.";
  if (outside.length > 0) return "It wrote nothing outside: no write that it tried succeeded.";
  return "It wrote nothing outside.";
}

function things(count: number, noun: string): string {
  return count === 1 ? `One ${noun}` : `${count} ${noun}s`;
}
