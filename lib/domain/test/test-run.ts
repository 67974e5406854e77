import "server-only";
import { toApprovals } from "@/lib/domain/execution/run/load-run";
import type {
  LoadedRun,
  StoredApproval,
  Surroundings,
} from "@/lib/domain/execution/run/loaded-run";
import { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import { RunCost } from "@/lib/domain/execution/run/run-cost";
import {
  type StoredToolResult,
  type StoredTurn,
  Transcript,
} from "@/lib/domain/execution/run/transcript";
import { RUN_PROGRAMS } from "@/lib/domain/run-programs";
import { leadsRuns, type RunKind } from "@/lib/model/run/run-status";

/** What a test says of a run: fields of its row and of all of its parts, side by side. */
interface Said {
  kind?: string;
  turns?: readonly object[];
  /** By their calls. */
  toolResults?: ReadonlyMap<string, object>;
  /** By their calls. */
  approvals?: ReadonlyMap<string, object>;
  /** What was approved beside those. */
  approved?: readonly object[];
  [field: string]: unknown;
}

/**
 * A run as its steps have it, of which a test says what is read: nothing else is there. Its kind is
 * `agent` where nothing is said.
 */
export function testRun({
  turns,
  toolResults,
  approvals,
  approved = [],
  ...said
}: Said): LoadedRun {
  const kind = (said.kind ?? "agent") as RunKind; // a test names kinds that there are
  const asked = [
    ...keyed(approvals),
    ...approved.map((one) => ({ ...one, toolCallId: null, status: "approved" })),
  ] as StoredApproval[]; // as far as a test says it
  const parts = said as unknown as ConstructorParameters<typeof PromptContext>[0] & {
    usage: RunCost["usage"];
  } & Surroundings; // as far as a test says it
  return {
    agent: null,
    leads: leadsRuns(kind),
    ...said,
    kind,
    program: RUN_PROGRAMS[kind],
    transcript: testTranscript(turns, toolResults),
    waiting: [],
    approvals: toApprovals(asked),
    context: new PromptContext(parts),
    cost: new RunCost({ id: "run", accountId: "account" }, 0n, parts.usage),
    surroundings: parts,
  } as unknown as LoadedRun; // as far as a test says it
}

/** What a run has said and got, as far as a test says it. */
export function testTranscript(
  turns: readonly object[] = [],
  results?: ReadonlyMap<string, object>,
): Transcript {
  // As said above.
  return new Transcript(turns as StoredTurn[], keyed(results) as StoredToolResult[]);
}

function keyed(rows: ReadonlyMap<string, object> = new Map()): object[] {
  return [...rows].map(([toolCallId, row]) => ({ ...row, toolCallId }));
}
