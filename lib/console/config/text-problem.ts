/** Something wrong at one place of a text; `line` and `column` count from 1, `path` is dotted and empty for a fault of syntax. */
export interface TextProblem {
  line: number;
  column: number;
  path: string;
  message: string;
  severity: "error" | "warning";
}
