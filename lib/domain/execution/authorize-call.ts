import "server-only";
import { createHash } from "node:crypto";
import { changesOf, draftOf, isProposal, propose } from "@/lib/domain/execution/build-draft";
import { filesPort } from "@/lib/domain/execution/files-port";
import { hasReadFiles, strangeHosts } from "@/lib/domain/execution/lint-draft";
import type { LoadedAgent, LoadedRun, StoredApproval } from "@/lib/domain/execution/load-run";
import { isAskedByOwner } from "@/lib/domain/execution/run-limits";
import { runConfig, runTools } from "@/lib/domain/execution/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tool-call";
import { type AgentPowers, applyToolPolicy } from "@/lib/model/agent-config/permissions";
import type { ApprovalQuestion } from "@/lib/model/approval/approval";
import {
  ComplexityLimit,
  type JsonObject,
  type JsonValue,
  sortedJson,
} from "@/lib/model/json-schema/json-value";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { inTextWorker } from "@/lib/runtime/text-work/in-text-worker";
import { checkArguments, type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
/**
 * What becomes of a tool call: it runs, a person is asked first, or the model is answered without
 * running anything.
 */
export type ToolCallDecision =
  | { action: "run"; tool: RuntimeTool }
  /** What a build's model calls, which needs no further word. */
  | { action: "build" }
  | { action: "ask"; question: ApprovalQuestion }
  | { action: "answer"; result: ToolResult };

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
  const approval = run.approvals.get(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "call");
  if (turnedDown) return answer(turnedDown);
  const isApproved = approval?.status === "approved";
  // What an MCP server listed minutes ago is not what it would do now: before an approved call it
  // is asked anew. What has had its time may be shown to a model, but dispatches nothing.
  const find = async (options: { fresh?: boolean; current?: boolean }) =>
    (await runTools(run, signal, options)).find(({ name }) => name === call.name);
  const seen = await find({ fresh: isApproved });
  const tool = seen?.isStale ? await find({ current: true }) : seen;
  if (!tool) return answer(`There is no tool ${JSON.stringify(call.name)} here.`);
  const names = tool.server === undefined ? [tool.name] : [tool.name, tool.server];
  const decision = applyToolPolicy(
    { names, isGuarded: tool.kind === "guarded" },
    run.agent?.writeAutonomy ?? "blocked",
    runConfig(run).permissions,
  );
  if (decision === "refuse")
    return answer(
      "This agent may not do that: its owner has blocked the tool. Nothing was done. Go on without it, and say so in the answer.",
    );
  const reason = (await tool.reasonToAsk?.(call.input)) ?? null;
  if (decision === "run" && reason === null) return { action: "run", tool };
  if (decision === "run" && run.agent?.writeAutonomy === "blocked")
    return answer(`${reason} ${NOBODY_IS_ASKED}`);
  // A person is not asked about a call that could not run.
  const misfit = checkArguments(tool, call.input);
  if (misfit) return { action: "answer", result: misfit };
  const question = toCallQuestion(tool, call.input, reason, await sentFiles(run, tool, call));
  if (isApproved && approval.digest === question.digest) return { action: "run", tool };
  return { action: "ask", question: isApproved ? { ...question, reason: TOOL_CHANGED } : question };
}

const NOBODY_IS_ASKED =
  "A person would have to allow it, and this agent's owner has blocked what needs that. Nothing was done. Go on without it, and say so in the answer.";
const TOOL_CHANGED =
  "The tool has changed since you were asked. What you approved then was not done; what is shown now is what would be done.";

/**
 * What the model is told about something that a person turned down, or did not decide in time; null
 * when neither is so.
 */
function turnedDownText(
  { status, message }: StoredApproval,
  what: "call" | "change",
): string | null {
  const said = message ? ` They said: ${message}` : "";
  if (status === "rejected")
    return `A person rejected this ${what}. Nothing was done.${said} Do not try the same by another way; go on without it, and say so in the answer.`;
  return status === "expired"
    ? `Nobody approved this ${what} in time, so it counts as rejected. Nothing was done. Go on without it, and say so in the answer.`
    : null;
}

/** What the model is told in place of a result. */
function answer(error: string): ToolCallDecision {
  return { action: "answer", result: { succeeded: false, output: { error } } };
}

/**
 * Judges what a build's model proposes. What an account's owner asked for by a key or signed in is
 * done as it is; an edit that anybody else asked for (an agent, at the word of a page that it
 * read), or that was worked out after files were read, waits for a person where it would let the
 * agent do more than before. The answer counts for that very change.
 */
export async function authorizeBuild(run: LoadedRun, call: ToolCall): Promise<ToolCallDecision> {
  if (!run.agent || !isProposal(call.name) || (isAskedByOwner(run) && !hasReadFiles(run)))
    return { action: "build" };
  const approval = run.approvals.get(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "change");
  if (turnedDown) return answer(turnedDown);
  const question = await widening(run, run.agent, call);
  if (!question || run.approved.some(({ digest }) => digest === question.digest))
    return { action: "build" };
  return {
    action: "ask",
    question: approval?.status === "approved" ? { ...question, reason: CHANGE_CHANGED } : question,
  };
}

const AN_AGENT_ASKED =
  "An agent asked for this change, not you, and it would let the agent that is changed do more than before.";
const FILES_WERE_READ =
  "The model read files of a workspace, or what a server says of its tools, earlier in this conversation, and they may be somebody else's word. The change would let the agent do more than before: approve it if that is what you asked for.";
const CHANGE_CHANGED =
  "The change is another one than the one that you were asked about. Nothing was stored.";

/** The version of the agent on which the model worked out this call. */
export function seenVersion(run: LoadedRun, call: ToolCall): string | null {
  const turn = run.turns.find(({ content }) =>
    content.some((part) => part.type === "tool-call" && part.toolCallId === call.toolCallId),
  );
  return turn?.agentVersionId ?? null;
}

/**
 * The question that a draft is after a call; null where it widens nothing, or cannot be stored
 * anyway.
 */
async function widening(
  run: LoadedRun,
  agent: LoadedAgent,
  call: ToolCall,
): Promise<ApprovalQuestion | null> {
  if (seenVersion(run, call) !== agent.currentVersionId) return null;
  const proposed = await propose(run, await draftOf(run), call);
  // A draft that names a file's hosts is refused when it is to be stored, whatever a person says.
  if (!proposed.ok || (isAskedByOwner(run) && (await strangeHosts(run, proposed.draft))))
    return null;
  const { keyOrder: _, ...patch } = changesOf(agent, proposed.draft);
  const changes = await inTextWorker(
    "describe-widening",
    { before: powersOf(agent), after: powersOf({ ...agent, ...patch }) },
    { account: run.accountId },
  );
  if (changes.length === 0) return null;
  const change = {
    agent_id: agent.id,
    version_id: agent.currentVersionId,
    patch: JSON.parse(JSON.stringify(patch)) as JsonValue,
  }; // checked JSON
  return {
    kind: "agent_edit",
    summary: `${EDIT_AGENT_TOOL.name}: a change that lets an agent do more than before`,
    reason: isAskedByOwner(run) ? FILES_WERE_READ : AN_AGENT_ASKED,
    shown: {
      tool_kind: null,
      method: null,
      target: null,
      secret_name: null,
      secret_header: null,
      definition: null,
      changes,
    },
    digest: digestOf(change),
  };
}

/** No more of an agent than that goes to the thread. */
function powersOf({ config, skillContent, writeAutonomy }: AgentPowers): AgentPowers {
  return { config, skillContent, writeAutonomy };
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
  const port = filesPort(run, call.toolCallId);
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
function digestOf(value: JsonValue): string {
  return createHash("sha256")
    .update(sortedJson(value, new ComplexityLimit(DIGEST_MAX_STEPS)))
    .digest("hex");
}

/** What the call would do, without its arguments: the stream never shows a tool's input. */
function summaryOf(tool: RuntimeTool): string {
  const what = tool.target ?? tool.description.split(/(?<=[.!?])\s/)[0] ?? "";
  return `${tool.name}: ${what}`.slice(0, SUMMARY_MAX_CHARACTERS).toWellFormed();
}
