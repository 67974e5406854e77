import { compilePattern } from "./compile-pattern";
import { fitsFormat } from "./fits-format";
import { matchesPattern } from "./matches-pattern";
import { PatternError } from "./pattern-syntax";
import type { KeywordCheck } from "./validation";
import type { WorkBudget } from "./work-budget";

/** `minLength, maxLength` (in code points), `pattern`, `format`. */
export const checkString: KeywordCheck<string> = (validation, schema, value, path) => {
  const { minLength, maxLength, pattern, format } = schema;
  let fits = true;
  validation.budget.spend(typeof format === "string" ? 20 : 1);
  if (typeof minLength === "number" && lengthOf(value, validation.budget) < minLength) fits = validation.fail(path, tooShort(minLength));
  if (typeof maxLength === "number" && lengthOf(value, validation.budget) > maxLength) {
    fits = validation.fail(path, `Must be at most ${maxLength} characters long.`);
  }
  if (typeof pattern === "string" && !matchesText(pattern, value, validation.budget)) {
    fits = validation.fail(path, `Must match the pattern ${pattern}`);
  }
  if (typeof format === "string" && !fitsFormat(format, value)) fits = validation.fail(path, `Must be written as ${format}.`);
  return fits;
};

/** Whether a pattern is found in `text`. One that cannot be used, which `checkSchema` refuses, is found nowhere. */
export function matchesText(pattern: string, text: string, budget: WorkBudget): boolean {
  try {
    return matchesPattern(compilePattern(pattern), text, budget);
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

function tooShort(minLength: number): string {
  return minLength === 1 ? "Must not be empty." : `Must be at least ${minLength} characters long.`;
}

function lengthOf(text: string, budget: WorkBudget): number {
  budget.spend(1 + Math.floor(text.length / 16));
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
