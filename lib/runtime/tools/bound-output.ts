import "server-only";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** The most that one tool call may put into a model's context, in characters of JSON. */
export const TOOL_OUTPUT_MAX_CHARACTERS = 64_000;

/** The output as it is, or its JSON text cut with a note that says so and how much there was. */
export function boundOutput(output: JsonValue): JsonValue {
  const text = JSON.stringify(output);
  if (text.length <= TOOL_OUTPUT_MAX_CHARACTERS) return output;
  // Escaping may lengthen the cut text again; half of the bound leaves room for the worst that is likely.
  const cut = withoutHalfCharacter(text.slice(0, TOOL_OUTPUT_MAX_CHARACTERS / 2));
  return { cut: true, note: `The output had ${text.length} characters; only the first ${cut.length} are shown.`, text: cut };
}

/** Postgres takes no lone surrogate, and a cut can make one. */
function withoutHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
