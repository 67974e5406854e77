import { parsePattern } from "./parse-pattern";
import { type CharacterTest, PatternError, type PatternNode } from "./pattern-syntax";

/** One step of a pattern's program. `split` goes both ways. */
export type PatternStep =
  | { op: "character"; test: CharacterTest }
  | { op: "assert"; at: "start" | "end" | "boundary" | "inside" }
  | { op: "split"; to: number; or: number }
  | { op: "jump"; to: number }
  | { op: "match" };

/** A pattern as a program that `matchesPattern` runs. */
export type PatternProgram = readonly PatternStep[];

/** Longest program: what a character of text costs at the most. */
export const PATTERN_MAX_STEPS = 2_000;

const CACHED_PROGRAMS = 100;
const cache = new Map<string, PatternProgram>();

/**
 * The program of a pattern. It is a finite automaton, not a backtracking matcher, so that no pattern is catastrophic: time
 * grows with the text's length times the program's. Throws `PatternError` when the pattern is outside the regular subset or
 * its repetitions unfold into too long a program.
 */
export function compilePattern(source: string): PatternProgram {
  const known = cache.get(source);
  if (known !== undefined) return remember(source, known);
  const steps: PatternStep[] = [];
  emit(parsePattern(source), steps);
  push(steps, { op: "match" });
  return remember(source, steps);
}

function remember(source: string, program: PatternProgram): PatternProgram {
  cache.delete(source);
  cache.set(source, program);
  const oldest = cache.keys().next();
  if (cache.size > CACHED_PROGRAMS && !oldest.done) cache.delete(oldest.value);
  return program;
}

function push<Step extends PatternStep>(steps: PatternStep[], step: Step): Step {
  if (steps.length >= PATTERN_MAX_STEPS) throw new PatternError("A pattern's repetitions unfold too far.");
  steps.push(step);
  return step;
}

function emit(node: PatternNode, steps: PatternStep[]): void {
  if (node.kind === "character") push(steps, { op: "character", test: node.test });
  else if (node.kind === "assert") push(steps, { op: "assert", at: node.at });
  else if (node.kind === "sequence") for (const part of node.parts) emit(part, steps);
  else if (node.kind === "choice") emitChoice(node.parts, steps);
  else emitRepeat(node.part, node.min, node.max, steps);
}

function emitChoice(parts: PatternNode[], steps: PatternStep[]): void {
  const ends: { to: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const split = isLast ? null : push(steps, { op: "split", to: steps.length + 1, or: 0 });
    emit(part, steps);
    if (split === null) break;
    ends.push(push(steps, { op: "jump", to: 0 }));
    split.or = steps.length;
  }
  for (const end of ends) end.to = steps.length;
}

function emitRepeat(part: PatternNode, min: number, max: number | null, steps: PatternStep[]): void {
  // A part that emits nothing would never reach the bound on the program's length.
  const before = steps.length;
  for (let done = 0; done < min; done += 1) {
    emit(part, steps);
    if (steps.length === before) return;
  }
  if (max === null) {
    const loop = steps.length;
    const split = push(steps, { op: "split", to: loop + 1, or: 0 });
    emit(part, steps);
    push(steps, { op: "jump", to: loop });
    split.or = steps.length;
    return;
  }
  const splits: { or: number }[] = [];
  for (let done = min; done < max; done += 1) {
    splits.push(push(steps, { op: "split", to: steps.length + 1, or: 0 }));
    emit(part, steps);
  }
  for (const split of splits) split.or = steps.length;
}
