/** Whether a class or an escape holds a character, given as its code point. */
export type CharacterTest = (codePoint: number) => boolean;

/** A pattern as a tree. `repeat.max` is null when there is no upper bound. */
export type PatternNode =
  | { kind: "character"; test: CharacterTest }
  | { kind: "assert"; at: "start" | "end" | "boundary" | "inside" }
  | { kind: "sequence"; parts: PatternNode[] }
  | { kind: "choice"; parts: PatternNode[] }
  | { kind: "repeat"; part: PatternNode; min: number; max: number | null };

/** Why a pattern cannot be used; the message is fit for a person. */
export class PatternError extends Error {
  override name = "PatternError";
}
