import "server-only";
import { createHash } from "node:crypto";
import {
  answer,
  refuse,
  type SettledDecision,
  type ToolCallDecision,
} from "@/lib/domain/execution/permission/decision";
import type { LoadedRun, StoredApproval } from "@/lib/domain/execution/run/loaded-run";
import { filesPort, holderOf } from "@/lib/domain/execution/tools/files-port";
import { runConfig, runTools } from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall } from "@/lib/domain/execution/tools/tool-call";
import { applyToolPolicy } from "@/lib/model/agent-config/permissions";
import type { ApprovalQuestion } from "@/lib/model/approval/approval";
import {
  ComplexityLimit,
  type JsonObject,
  type JsonValue,
  sortedJson,
} from "@/lib/model/json-schema/json-value";
import { checkArguments, type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";

/**
 * Judges one call by what holds now: the agent's tools, its write autonomy and permissions, and
 * what a person has decided about this very call.
 * An approval counts for what was shown: when the tool, or its definition, is another one by now, a
 * person is asked again.
 * A tool that the run does not have is answered, not thrown: the model can do without it.
 */
export async function authorizeToolCall(
  run: LoadedRun,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolCallDecision> {
  const approval = run.approvals.of(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "call");
  if (turnedDown) return refuse(turnedDown);
  const isApproved = approval?.status === "approved";
  // What an MCP server listed minutes ago is not what it would do now: before an approved call it
  // is asked anew. What has had its time may be shown to a model, but dispatches nothing.
  const find = async (options: { fresh?: boolean; current?: boolean }) =>
    (await runTools(run, signal, options)).find(({ name }) => name === call.name);
  const seen = await find({ fresh: isApproved });
  const tool = seen?.isStale ? await find({ current: true }) : seen;
  if (!tool) return withoutTool(run, call);
  const decision = policyOf(run, tool);
  if (decision === "refuse") return refuse(BLOCKED, tool);
  const reason = (await tool.reasonToAsk?.(call.input)) ?? null;
  if (decision === "run" && reason === null) return { action: "run", tool };
  if (decision === "run" && run.agent?.writeAutonomy === "blocked")
    return refuse(`${reason} ${NOBODY_IS_ASKED}`, tool);
  // A person is not asked about a call that could not run.
  const misfit = checkArguments(tool, call.input);
  if (misfit) return { action: "answer", result: misfit, tool };
  const question = toCallQuestion(tool, call.input, reason, await sentFiles(run, tool, call));
  if (isApproved && approval.digest === question.digest) return { action: "run", tool };
  if (run.approvals.isRemembered(question.definitionDigest)) {
    // As with an approved call, what the server lists now is what counts.
    const now = tool.server === undefined ? tool : await find({ fresh: true });
    const digest = now && toCallQuestion(now, call.input, reason, []).definitionDigest;
    if (now && digest === question.definitionDigest) return { action: "run", tool: now };
  }
  return { action: "ask", question: isApproved ? { ...question, reason: TOOL_CHANGED } : question };
}

/** What becomes of a call of a tool that the run does not have. */
export function withoutTool(run: LoadedRun, { name }: ToolCall): SettledDecision {
  const none = `There is no tool ${JSON.stringify(name)} here.`;
  return runConfig(run).permissions.deny.includes(name) ? refuse(none) : answer(none);
}

/** What the agent's autonomy and permissions say of a tool, whatever a person has decided. */
export function policyOf(run: LoadedRun, tool: RuntimeTool): ReturnType<typeof applyToolPolicy> {
  return applyToolPolicy(
    {
      names: tool.server === undefined ? [tool.name] : [tool.name, tool.server],
      isGuarded: tool.kind === "guarded",
    },
    run.agent?.writeAutonomy ?? "blocked",
    runConfig(run).permissions,
  );
}

/** What a model is told whose agent may not use a tool. */
export const BLOCKED =
  "This agent may not do that: its owner has blocked the tool. Nothing was done. Go on " +
  "without it, and say so in the answer.";
const NOBODY_IS_ASKED =
  "A person would have to allow it, and this agent's owner has blocked what needs that. " +
  "Nothing was done. Go on without it, and say so in the answer.";
const TOOL_CHANGED =
  "The tool has changed since you were asked. What you approved then was not done; what is " +
  "shown now is what would be done.";

/**
 * What the model is told about something that a person turned down, or did not decide in time; null
 * when neither is so.
 */
export function turnedDownText(
  { status, message }: StoredApproval,
  what: "call" | "change",
): string | null {
  const said = message ? ` They said: ${message}` : "";
  if (status === "rejected")
    return (
      `A person rejected this ${what}. Nothing was done.${said} Do not try the same by another ` +
      "way; go on without it, and say so in the answer."
    );
  return status === "expired"
    ? `Nobody approved this ${what} in time, so it counts as rejected. Nothing was done. Go on ` +
        "without it, and say so in the answer."
    : null;
}

const SUMMARY_MAX_CHARACTERS = 300;
/** Arguments have at most a few million characters; sixteen of them are a step. */
const DIGEST_MAX_STEPS = 10_000_000;

/**
 * The question whether a tool may be called with these arguments. Its digest covers what the tool
 * is as well as what it is given.
 */
function toCallQuestion(
  tool: RuntimeTool,
  args: unknown,
  reason: string | null,
  files: JsonObject[],
): ApprovalQuestion {
  const definition =
    files.length === 0 ? (tool.definition ?? null) : { ...tool.definition, sent_files: files };
  const preview = tool.preview?.(args) ?? {
    tool_kind: "built_in",
    method: null,
    target: null,
    secret_name: null,
    secret_header: null,
  };
  return {
    kind: "tool_call",
    summary: summaryOf(tool),
    reason,
    shown: { ...preview, definition, changes: [] },
    // Where this very call is what a person must look at, no earlier word will do.
    definitionDigest:
      reason === null && tool.definition
        ? digestOf({ name: tool.name, kind: tool.kind, definition: tool.definition })
        : null,
    digest: digestOf({
      name: tool.name,
      kind: tool.kind,
      definition,
      arguments: args as JsonValue,
    }), // a model's arguments came as JSON
  };
}

/** Which versions of which files a call would send away: the bytes that a person says yes to. */
async function sentFiles(run: LoadedRun, tool: RuntimeTool, call: ToolCall): Promise<JsonObject[]> {
  const port = filesPort(holderOf(run), call.toolCallId);
  const paths = tool.sentFiles?.(call.input) ?? [];
  return Promise.all(
    paths.map(async (path) => {
      const file = await port.open(path).catch((error: unknown) => {
        if (error instanceof ToolFailure) return null; // the call itself will say so
        throw error;
      });
      return { path, size_bytes: file?.size_bytes ?? null, sha256: file?.sha256 ?? null };
    }),
  );
}

/** SHA-256 (hex) of a JSON value; the order of keys does not count. */
export function digestOf(value: JsonValue): string {
  return createHash("sha256")
    .update(sortedJson(value, new ComplexityLimit(DIGEST_MAX_STEPS)))
    .digest("hex");
}

/** What the call would do, without its arguments: the stream never shows a tool's input. */
function summaryOf(tool: RuntimeTool): string {
  const what = tool.target ?? tool.description.split(/(?<=[.!?])\s/)[0] ?? "";
  return `${tool.name}: ${what}`.slice(0, SUMMARY_MAX_CHARACTERS).toWellFormed();
}
