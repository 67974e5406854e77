import "server-only";
import { changesOf, draftOf, isProposal, propose } from "@/lib/domain/builds/build-draft";
import { hasReadFiles, strangeHosts } from "@/lib/domain/builds/lint-draft";
import { digestOf, turnedDownText } from "@/lib/domain/execution/permission/authorize-call";
import { refuse, type ToolCallDecision } from "@/lib/domain/execution/permission/decision";
import {
  isAskedByOwner,
  type LoadedAgent,
  type LoadedRun,
} from "@/lib/domain/execution/run/loaded-run";
import type { ToolCall } from "@/lib/domain/execution/tools/tool-call";
import type { AgentPowers } from "@/lib/model/agent-config/permissions";
import type { ApprovalQuestion } from "@/lib/model/approval/approval";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { inTextWorker } from "@/lib/runtime/text-work/in-text-worker";

/**
 * Judges what a build's model proposes. What an account's owner asked for by a key or signed in is
 * done as it is; an edit that anybody else asked for (an agent, at the word of a page that it
 * read), or that was worked out after files were read, waits for a person where it would let the
 * agent do more than before. The answer counts for that very change.
 */
export async function authorizeBuild(run: LoadedRun, call: ToolCall): Promise<ToolCallDecision> {
  if (!run.agent || !isProposal(call.name) || (isAskedByOwner(run) && !hasReadFiles(run)))
    return { action: "own" };
  const approval = run.approvals.of(call.toolCallId);
  const turnedDown = approval && turnedDownText(approval, "change");
  if (turnedDown) return refuse(turnedDown);
  const question = await widening(run, run.agent, call);
  if (!question || run.approvals.approved.some(({ digest }) => digest === question.digest))
    return { action: "own" };
  return {
    action: "ask",
    question: approval?.status === "approved" ? { ...question, reason: CHANGE_CHANGED } : question,
  };
}

const AN_AGENT_ASKED =
  "An agent asked for this change, not you, and it would let the agent that is changed do " +
  "more than before.";
const FILES_WERE_READ =
  "The model read files of a workspace, or what a server says of its tools, earlier in this " +
  "conversation, and they may be somebody else's word. The change would let the agent do " +
  "more than before: approve it if that is what you asked for.";
const CHANGE_CHANGED =
  "The change is another one than the one that you were asked about. Nothing was stored.";

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
    {
      before: powersOf(agent),
      after: { ...powersOf({ ...agent, ...patch }), remembers: run.approvals.remembersAny },
    },
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
    definitionDigest: null,
  };
}

/** No more of an agent than that goes to the thread. */
function powersOf({ config, skillContent, writeAutonomy }: AgentPowers): AgentPowers {
  return { config, skillContent, writeAutonomy };
}

/** The version of the agent on which the model worked out this call. */
export function seenVersion(run: LoadedRun, call: ToolCall): string | null {
  const turn = run.transcript.turns.find(({ content }) =>
    content.some((part) => part.type === "tool-call" && part.toolCallId === call.toolCallId),
  );
  return turn?.agentVersionId ?? null;
}
