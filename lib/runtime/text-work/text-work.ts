import "server-only";
import { describeDiff, type NamedText } from "@/lib/model/diff-lines";
import { decideOfflineTurn, type OfflineAsk } from "@/lib/offline-model/offline-model";

/**
 * Work on texts of strangers that is not done by the loop that serves everybody: each takes and
 * gives what can be copied between threads.
 */
export const TEXT_WORK = {
  "offline-turn": (ask: OfflineAsk) => decideOfflineTurn(ask),
  "describe-diff": ({ before, after }: { before: NamedText[]; after: NamedText[] }) =>
    describeDiff(before, after),
};

export type TextWork = typeof TEXT_WORK;

/** To a worker: one piece of work. */
export interface TextWorkOrder {
  kind: keyof TextWork;
  input: unknown;
  /** Of its answer as JSON. */
  maxCharacters: number;
}

/** From a worker: that it can begin, or what came of its order. */
export type TextWorkReport =
  | { is: "ready" }
  | { is: "done"; json: string }
  | { is: "long" }
  | { is: "failed"; name: string; code: string | null; message: string };
