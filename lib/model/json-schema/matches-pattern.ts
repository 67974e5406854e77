import type { PatternProgram } from "./compile-pattern";
import { wordCharacter } from "./pattern-characters";
import type { WorkBudget } from "./work-budget";

/** Whether the pattern is found anywhere in `text`. Every character costs as many steps of `budget` as there are ways still open. */
export function matchesPattern(program: PatternProgram, text: string, budget: WorkBudget): boolean {
  budget.spend(Math.ceil(program.length / 8));
  const run = new PatternRun(program, text, budget);
  let at = 0;
  for (const character of text) {
    if (run.start(at)) return true;
    run.step(character.codePointAt(0) ?? 0);
    at += character.length;
  }
  return run.start(at);
}

class PatternRun {
  readonly #program: PatternProgram;
  readonly #text: string;
  readonly #budget: WorkBudget;
  /** For each step of the program, the last position at which it was entered: no step is entered twice at one position. */
  readonly #entered: Int32Array;
  #resume: number[] = [];
  #waiting: number[] = [];

  constructor(program: PatternProgram, text: string, budget: WorkBudget) {
    this.#program = program;
    this.#text = text;
    this.#budget = budget;
    this.#entered = new Int32Array(program.length).fill(-1);
  }

  /** Follows every open way, and a new one from the start, up to a step that wants a character. True when one reached the end. */
  start(at: number): boolean {
    const open = this.#resume;
    open.push(0);
    this.#waiting = [];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#entered[index] === at) continue;
      this.#entered[index] = at;
      this.#budget.spend(1);
      const step = this.#program[index];
      if (step === undefined || step.op === "match") return true;
      if (step.op === "character") this.#waiting.push(index);
      else if (step.op === "jump") open.push(step.to);
      else if (step.op === "split") open.push(step.to, step.or);
      else if (this.#holds(step.at, at)) open.push(index + 1);
    }
    return false;
  }

  /** Moves every way that waits for a character over this one, or ends it. */
  step(codePoint: number): void {
    this.#budget.spend(this.#waiting.length);
    for (const index of this.#waiting) {
      const step = this.#program[index];
      if (step?.op === "character" && step.test(codePoint)) this.#resume.push(index + 1);
    }
  }

  #holds(place: "start" | "end" | "boundary" | "inside", at: number): boolean {
    if (place === "start") return at === 0;
    if (place === "end") return at === this.#text.length;
    const isBoundary = this.#isWord(at - 1) !== this.#isWord(at);
    return (place === "boundary") === isBoundary;
  }

  #isWord(at: number): boolean {
    return at >= 0 && at < this.#text.length && wordCharacter(this.#text.charCodeAt(at));
  }
}
