import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import type { RunSession } from "@/lib/domain/execution/session/with-run-log";
import type { RulesTask } from "@/lib/model/models/rules-task";
import type { RunEventBody } from "@/lib/model/run/run-event";
import type { TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/read-turn";
import type { Told } from "@/lib/runtime/prompts/situation";

/** One turn that a model is to take. */
export interface TurnInput {
  run: LoadedRun;
  turn: number;
  limits: RunLimits;
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  /** What its model is told before it, which stays in every later prompt; null: nothing. */
  told: Told | null;
  /** What the log shows before the model speaks. */
  notices: readonly RunEventBody[];
  /** Names of the tools that change nothing. */
  readers: ReadonlySet<string>;
  /** What a model that reads no prompts is to do. */
  task: RulesTask;
  session: RunSession;
}
