import { expect } from "@playwright/test";
import type { Line, NumberedLine } from "./shapes";

/**
 * Holds a finished run's lines to the contract (§3): `run.created` first, numbers from `first` without a gap, one run, exactly one terminal
 * line and that the last. Returns the terminal line.
 */
export function expectWholeLog(lines: Line[], first = 0): Extract<Line, { type: "run.completed" | "run.failed" }> {
  const numbered = lines.filter((line): line is NumberedLine => line.type !== "ping" && line.type !== "error");
  expect(numbered.map((line) => line.sequence_number)).toEqual(numbered.map((_, index) => index + first));
  expect(new Set(numbered.map((line) => line.run_id)).size).toBe(1);
  if (first === 0) expect(numbered[0]?.type).toBe("run.created");
  expect(numbered.filter((line) => line.type === "run.created")).toHaveLength(first === 0 ? 1 : 0);
  const terminal = numbered.filter((line) => line.type === "run.completed" || line.type === "run.failed");
  expect(terminal).toHaveLength(1);
  const last = lines.at(-1);
  if (last?.type !== "run.completed" && last?.type !== "run.failed") throw new Error(`The last line is ${last?.type}, not a terminal one.`);
  return last;
}
