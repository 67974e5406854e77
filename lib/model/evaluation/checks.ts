import "server-only";
import { z } from "zod";
import { isJsonPointer, resolvePointer } from "@/lib/model/dashboard/json-pointer";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import {
  ComplexityLimit,
  type JsonObject,
  type JsonValue,
  sameJson,
  WorkSpent,
} from "@/lib/model/json-schema/json-value";
import { matchesPattern } from "@/lib/model/json-schema/match-pattern";
import {
  PATTERN_MAX_CHARACTERS,
  PatternError,
  parsePattern,
} from "@/lib/model/json-schema/pattern";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";

const TEXT_MAX_CHARACTERS = 4_000;
const POINTER_MAX_CHARACTERS = 500;

const text = z.string().min(1).max(TEXT_MAX_CHARACTERS);
const tool = z.string().min(1).max(200);

/** What an answer must be like, one way of it. */
export const checkSchemaOfAnswer = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("contains"), value: text }),
    z.strictObject({ type: z.literal("not_contains"), value: text }),
    z
      .strictObject({ type: z.literal("equals"), value: z.unknown() })
      .refine(({ value }) => value !== undefined, { error: "value: must be there" }),
    z.strictObject({
      type: z.literal("matches"),
      pattern: z.string().min(1).max(PATTERN_MAX_CHARACTERS).refine(isPattern, {
        error: "must be a regular expression that can be matched in linear time",
      }),
    }),
    z.strictObject({
      type: z.literal("json_path"),
      path: z
        .string()
        .max(POINTER_MAX_CHARACTERS)
        .refine((path) => isJsonPointer(toPointer(path)), {
          error: "must be a JSON Pointer, such as /items/0/total",
        }),
      value: z.unknown().optional(),
    }),
    z.strictObject({
      type: z.literal("schema"),
      schema: z
        .record(z.string(), z.unknown())
        .refine((schema) => checkSchema(schema).length === 0, {
          error: "must be a JSON Schema as output_schema takes it",
        }),
    }),
    z.strictObject({ type: z.literal("tool_called"), tool }),
    z.strictObject({ type: z.literal("tool_not_called"), tool }),
  ])
  .meta({
    id: "Check",
    description:
      "`contains` and `not_contains` look at the answer's text, whatever its case; `equals` " +
      "compares the whole answer, or its data; `matches` is a regular expression; " +
      "`json_path` is a JSON Pointer into the data, which is there or has that value; " +
      "`tool_called` and `tool_not_called` look at what the run did.",
  });

export type Check = z.infer<typeof checkSchemaOfAnswer>;

function isPattern(source: string): boolean {
  try {
    parsePattern(source);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** What checks look at. */
export interface Checked {
  text: string;
  /** The structured answer; absent where there is none. */
  data?: JsonValue;
  /** Names of the tools that were called. */
  tools: readonly string[];
}

const WORK_MAX_STEPS = 1_000_000;

/** `$.items[0].total` as the JSON Pointer (RFC 6901) that it means; a pointer stays as it is. */
function toPointer(path: string): string {
  if (!path.startsWith("$")) return path;
  const parts = path
    .slice(1)
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".");
  return parts
    .slice(1)
    .map((part) => `/${part}`)
    .join("");
}

/** What an answer fails of, a sentence each; none: it passes. */
export function failedChecks(checks: readonly Check[], answer: Checked): string[] {
  return checks.flatMap((check) => {
    try {
      return passes(check, answer) ? [] : [sentenceOf(check)];
    } catch (error) {
      if (error instanceof WorkSpent) return [`${sentenceOf(check)} (it took too much work)`];
      throw error;
    }
  });
}

function passes(check: Check, answer: Checked): boolean {
  switch (check.type) {
    case "contains":
      return folded(answer.text).includes(folded(check.value));
    case "not_contains":
      return !folded(answer.text).includes(folded(check.value));
    case "equals":
      return (
        isEqual(dataOf(answer) ?? answer.text.trim(), check.value) ||
        answer.text.trim() === check.value
      );
    case "matches":
      return isMatch(check.pattern, answer.text);
    case "json_path": {
      const data = dataOf(answer);
      const found = data === undefined ? data : resolvePointer(data, toPointer(check.path));
      if (found === undefined) return false;
      return check.value === undefined || isEqual(found, check.value);
    }
    case "schema": {
      const data = dataOf(answer);
      // Zod's JSON.
      return data !== undefined && validateAgainst(check.schema as JsonObject, data).length === 0;
    }
    case "tool_called":
      return answer.tools.includes(check.tool);
    case "tool_not_called":
      return !answer.tools.includes(check.tool);
  }
}

function folded(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The structured answer, else the JSON that the text is; undefined where it is none. */
function dataOf({ data, text }: Checked): JsonValue | undefined {
  if (data !== undefined) return data;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** @param right as a check has it, which came as JSON */
function isEqual(left: JsonValue, right: unknown): boolean {
  return sameJson(left, right as JsonValue, new ComplexityLimit(WORK_MAX_STEPS));
}

function isMatch(pattern: string, text: string): boolean {
  return matchesPattern(pattern, text, new ComplexityLimit(WORK_MAX_STEPS));
}

const SHOWN_MAX_CHARACTERS = 120;

function sentenceOf(check: Check): string {
  const { type, ...rest } = check;
  const shown = JSON.stringify(Object.values(rest));
  return (
    `${type} ` +
    (shown.length <= SHOWN_MAX_CHARACTERS
      ? shown
      : `${shown.slice(0, SHOWN_MAX_CHARACTERS).toWellFormed()}…`)
  );
}
