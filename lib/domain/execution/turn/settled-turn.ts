import type { Charge } from "@/lib/domain/credits/ledger";
import type { StoredTurn } from "@/lib/domain/execution/run/transcript";
import type { Usage } from "@/lib/model/run/run-result";
import type { CallFacts, FailedCall, TurnUsage } from "@/lib/runtime/models/stream-turn";

/**
 * A priced call: the model that answered, what it used, how it ended, and what the run goes on
 * holding for the next one.
 */
export type ChargedCall = {
  model: string;
  usage: TurnUsage;
  finishReason: string;
  keepMicros: bigint;
  /** How it went, for the run's trace; absent where it was aborted. */
  call?: CallFacts;
  failed?: readonly FailedCall[];
};

/** A turn with its charge, on its way into the database. */
export interface SettledTurn {
  taken: StoredTurn;
  call: ChargedCall;
  charge: Charge;
  /** What the run has cost with it, if it is paid in full. */
  usage: Usage;
}
