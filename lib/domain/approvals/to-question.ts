import "server-only";
import { createHash } from "node:crypto";
import type { ApprovalQuestion } from "@/lib/model/approval/approval";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { sortedJson } from "@/lib/model/json-schema/sorted-json";
import { WorkBudget } from "@/lib/model/json-schema/work-budget";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

const SUMMARY_MAX_CHARACTERS = 300;
/** Arguments have at most a few million characters; sixteen of them are a step. */
const DIGEST_MAX_STEPS = 10_000_000;

/** The question whether a tool may be called with these arguments. Its digest covers what the tool is as well as what it is given. */
export function toCallQuestion(tool: RuntimeTool, args: unknown, reason: string | null): ApprovalQuestion {
  const definition = tool.definition ?? null;
  const preview = tool.preview?.(args) ?? { tool_kind: "built_in", method: null, target: null, secret_name: null, secret_header: null };
  return {
    kind: "tool_call",
    summary: summaryOf(tool),
    reason,
    shown: { ...preview, definition, changes: [] },
    digest: digestOf({ name: tool.name, kind: tool.kind, definition, arguments: args as JsonValue }), // a model's arguments came as JSON
  };
}

/** SHA-256 (hex) of a JSON value; the order of keys does not count. */
export function digestOf(value: JsonValue): string {
  return createHash("sha256")
    .update(sortedJson(value, new WorkBudget(DIGEST_MAX_STEPS)))
    .digest("hex");
}

/** What the call would do, without its arguments: the stream never shows a tool's input. */
function summaryOf(tool: RuntimeTool): string {
  const what = tool.target ?? tool.description.split(/(?<=[.!?])\s/)[0] ?? "";
  return `${tool.name}: ${what}`.slice(0, SUMMARY_MAX_CHARACTERS).toWellFormed();
}
