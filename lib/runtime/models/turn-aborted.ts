import "server-only";
import type { TurnUsage } from "./turn-usage";

/** A model call was stopped by its signal. `usage` is what it had used until then; null when no call had begun. */
export class TurnAborted extends Error {
  override readonly name = "TurnAborted";
  constructor(readonly usage: { model: string; usage: TurnUsage } | null) {
    super("The model call was aborted.");
  }
}
