import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";

export type ReadData = { ok: true; data: unknown } | { ok: false; problem: string };

/** The JSON value that a message consists of (bare, or in one code fence), checked against a schema. */
export function readData(text: string, schema: JsonObject): ReadData {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n```\s*$/.exec(text)?.[1] ?? text;
  let data: unknown;
  try {
    data = JSON.parse(bare);
  } catch {
    return { ok: false, problem: "it is not one JSON value" };
  }
  const violations = validateAgainst(schema, data);
  if (violations.length === 0) return { ok: true, data };
  return {
    ok: false,
    problem: violations
      .slice(0, 5)
      .map(({ path, message }) => (path ? `${path}: ${message}` : message))
      .join("; "),
  };
}
