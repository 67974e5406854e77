/** A tool call of a turn that has no result yet, for the engine's next steps. */
export interface PlannedCall {
  toolCallId: string;
  name: string;
  /** It only reads, so it may be made together with those beside it that do too. */
  reads?: true;
}

/** What the engine does next: nothing more, or these tool calls and then another turn. */
export type TurnOutcome = { done: true } | { done: false; calls: PlannedCall[] };
