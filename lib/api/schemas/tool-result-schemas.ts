import "server-only";
import { z } from "zod";
import type { ClientToolResult } from "@/lib/domain/runs/submit-tool-results";
import { textOf } from "@/lib/model/text-of";

const CALL_ID_MAX_CHARACTERS = 512;
const RESULTS_MAX = 100;
const ERROR_MAX_CHARACTERS = 10_000;

const outputField = z
  .unknown()
  .meta({ description: "Any JSON: what the model is told.", example: { status: "shipped" } });
const errorField = textOf(ERROR_MAX_CHARACTERS, { min: 1 }).meta({
  description: "Why the call was not carried out, in words for the model.",
  example: "There is no order 4711.",
});

/**
 * The results of calls of client tools, each with its output or the reason why there is none;
 * `name` is the surface's for a call's id.
 */
function resultsOf<Name extends "tool_call_id" | "toolCallId">(name: Name) {
  // A computed key loses its name.
  const id = { [name]: textOf(CALL_ID_MAX_CHARACTERS, { min: 1 }) } as Record<Name, z.ZodString>;
  return z
    .array(
      z.union([
        z.strictObject({ ...id, output: outputField }),
        z.strictObject({ ...id, error: errorField }),
      ]),
    )
    .min(1)
    .max(RESULTS_MAX)
    .superRefine((results, context) => {
      const seen = new Set<unknown>();
      for (const [index, result] of results.entries()) {
        const callId = Reflect.get(result, name);
        if (seen.has(callId))
          context.addIssue({ code: "custom", path: [index, name], message: "stands here twice" });
        seen.add(callId);
      }
    });
}

export const toolResultsBody = z
  .strictObject({ results: resultsOf("tool_call_id") })
  .meta({ id: "ToolResultsRequest" });

export const appToolResultsBody = z
  .strictObject({ results: resultsOf("toolCallId") })
  .meta({ id: "AppToolResultsRequest" });

/** One result in the domain's words. */
export function toToolResult(
  toolCallId: string,
  result: { output?: unknown } | { error: string },
): ClientToolResult {
  if ("error" in result) return { toolCallId, succeeded: false, output: { error: result.error } };
  return { toolCallId, succeeded: true, output: result.output };
}
