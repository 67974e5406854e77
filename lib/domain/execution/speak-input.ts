import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { RunLimits } from "@/lib/domain/execution/run-limits";
import type { RunSession } from "@/lib/domain/execution/with-run-log";
import type { TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/turn-prompt";

/** One turn that a model is to take. */
export interface SpeakInput {
  run: LoadedRun;
  turn: number;
  limits: RunLimits;
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  session: RunSession;
}
