import type { RunResult, Usage } from "@/lib/client/schemas";
import type { Block } from "@/lib/console/transcript/block";

/** What a run has shown so far: its event log folded into the pieces that a person sees. */
export interface Transcript {
  runId: string | null;
  agentId: string | null;
  conversationId: string | null;
  status: "pending" | "running" | "completed" | "failed";
  blocks: readonly Block[];
  usage: Usage | null;
  result: RunResult | null;
  error: { code: string; message: string } | null;
  startedAt: string | null;
  endedAt: string | null;
  /** -1 before the first event. */
  lastSequence: number;
}

export const EMPTY_TRANSCRIPT: Transcript = {
  runId: null,
  agentId: null,
  conversationId: null,
  status: "pending",
  blocks: [],
  usage: null,
  result: null,
  error: null,
  startedAt: null,
  endedAt: null,
  lastSequence: -1,
};
