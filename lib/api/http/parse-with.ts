import "server-only";
import type { z } from "zod";
import { describeIssue, type Explainer, explainIssue, explainUnknownName, shownName } from "@/lib/api/http/explain-issue";
import { type ErrorDetail, ServiceError } from "@/lib/model/errors";

const DETAILS_MAX = 20;

export interface ParseOptions {
  /** Where the value stands in the request. */
  prefix?: string;
  /** What may be sent, to be shown where something else was. */
  examples?: readonly unknown[];
}

/**
 * Parses by a schema.
 * @throws ServiceError INVALID_INPUT with one detail per broken place (20 at most), which says what to send instead and repeats no value
 */
export function parseWith(schema: z.ZodType, value: unknown, { prefix = "", examples = [] }: ParseOptions = {}): unknown {
  const explainer = { schema, examples };
  const result = schema.safeParse(value, { error: (issue) => explainIssue(issue, explainer) });
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => toDetails(issue, value, prefix, explainer)).slice(0, DETAILS_MAX);
  const message = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : `The body ${detail.message}`)).join("; ");
  throw new ServiceError("INVALID_INPUT", message, { details });
}

function toDetails(issue: z.core.$ZodIssue, value: unknown, prefix: string, explainer: Explainer): ErrorDetail[] {
  const path = [...(prefix ? [prefix] : []), ...issue.path.map((part) => shownName(String(part)))];
  if (issue.code !== "unrecognized_keys") return [{ path: path.join("."), message: describeIssue(issue, value, explainer) }];
  return issue.keys
    .slice(0, DETAILS_MAX)
    .map((key) => ({ path: [...path, shownName(key)].join("."), message: explainUnknownName(key, issue.path, explainer) }));
}
