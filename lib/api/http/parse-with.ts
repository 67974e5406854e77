import "server-only";
import type { z } from "zod";
import { type ErrorDetail, ServiceError } from "@/lib/model/errors";

/** Parses by a schema. @throws ServiceError INVALID_INPUT with one detail per broken place (20 at most) */
export function parseWith(schema: z.ZodType, value: unknown, prefix = ""): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => toDetails(issue, prefix)).slice(0, 20);
  const message = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message)).join("; ");
  throw new ServiceError("INVALID_INPUT", message, { details });
}

function toDetails(issue: z.core.$ZodIssue, prefix: string): ErrorDetail[] {
  const path = [...(prefix ? [prefix] : []), ...issue.path.map(String)];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key].join("."), message: HINTS.get(key) ?? "is not a property of this request" }));
  }
  return [{ path: path.join("."), message: issue.message }];
}

/** Names from the other family of routes, with the right field (specification §4.6). */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["appId", "is not a property of this request: name the agent in agent_id"],
  ["inputs", "is not a property of this request: put the named inputs into input"],
  [
    "skills",
    "is not a property of this request: a run sees the account's enabled skills; switch them at /v1/skills, or write them into the agent's own skill_content (agent_id)",
  ],
]);
