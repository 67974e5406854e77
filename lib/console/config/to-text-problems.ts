import { detailsOf } from "@/lib/console/errors";
import type { TextProblem } from "./text-problem";

const PLACE = /^line \d+, column \d+: /;

/** The places of a text that a refusal names; empty when it is about something else. `field` is the request's name of the text. */
export function toTextProblems(error: Error, field: string): TextProblem[] {
  return detailsOf(error).flatMap(({ path, message, line, column }) => {
    if (line === undefined || column === undefined) return [];
    if (path !== field && !path.startsWith(`${field}.`)) return [];
    return [{ line, column, path: path.slice(field.length + 1), message: message.replace(PLACE, ""), severity: "error" as const }];
  });
}
