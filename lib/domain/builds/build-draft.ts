import "server-only";
import { inWrittenOrder } from "@/lib/domain/agents/agent-store";
import { hasReadFilesBefore } from "@/lib/domain/builds/lint-draft";
import {
  isAskedByOwner,
  type LoadedAgent,
  type LoadedRun,
} from "@/lib/domain/execution/run/loaded-run";
import { hostsOfWhoAsked } from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall } from "@/lib/domain/execution/tools/tool-call";
import { readWithModels } from "@/lib/domain/work-on-request";
import { DRAFTED_AGENT_KEYS, isJsonField } from "@/lib/model/agent/agent-fields";
import { pickFields } from "@/lib/model/fields/field-table";
import { ComplexityLimit, type JsonValue, sameJson } from "@/lib/model/json-schema/json-value";
import type {
  AgentDraft,
  AgentPatch,
  CheckedDraft,
  CheckedPatch,
} from "@/lib/runtime/drafts/check-agent-draft";
import {
  CREATE_AGENT_TOOL,
  EDIT_AGENT_TOOL,
  RESTORE_VERSION_TOOL,
} from "@/lib/runtime/prompts/agent-tools";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";
import { prisma } from "@/lib/storage/prisma";

/**
 * What a build's model has proposed so far, all of it checked; it is stored when the run ends, or
 * never.
 */
export interface BuildDraft {
  state: AgentDraft;
  summary: string | null;
  leftOut: readonly string[];
  /** Connectors that were put under `permissions.ask`, because a model wrote them. */
  asked: readonly string[];
  /** The call that made it what it is. */
  last: Pick<ToolCall, "name" | "input">;
}

export type Proposed =
  | { ok: true; draft: BuildDraft }
  | { ok: false; error: string; problems: readonly string[] };

/**
 * The draft as the calls that were accepted made it. It is kept nowhere else: a step that is
 * repeated works it out anew. What was proposed on a version of the agent that is no longer the
 * current one counts no more.
 */
export async function draftOf(run: LoadedRun): Promise<BuildDraft | null> {
  let draft: BuildDraft | null = null;
  const current = run.agent?.currentVersionId ?? null;
  for (const turn of run.transcript.turns) {
    if (turn.agentVersionId !== current) continue;
    for (const part of turn.content) {
      if (
        part.type !== "tool-call" ||
        !run.transcript.resultOf(part.toolCallId)?.succeeded ||
        !isProposal(part.toolName)
      )
        continue;
      const proposed: Proposed = await propose(run, draft, {
        toolCallId: part.toolCallId,
        name: part.toolName,
        input: part.input,
      });
      if (proposed.ok) draft = proposed.draft;
    }
  }
  return draft;
}

export function isProposal(tool: string): boolean {
  return (
    tool === CREATE_AGENT_TOOL.name ||
    tool === EDIT_AGENT_TOOL.name ||
    tool === RESTORE_VERSION_TOOL.name
  );
}

/** What a draft becomes by one more call. */
export async function propose(
  run: LoadedRun,
  before: BuildDraft | null,
  call: ToolCall,
): Promise<Proposed> {
  const base = before?.state ?? (run.agent && stateOf(run.agent));
  if (call.name === CREATE_AGENT_TOOL.name && !run.agent) return create(run, call);
  if (!base)
    return {
      ok: false,
      error: `There is no draft yet: call ${CREATE_AGENT_TOOL.name} first.`,
      problems: [],
    };
  if (call.name === RESTORE_VERSION_TOOL.name) return restore(run, before, call);
  const input = call.name === CREATE_AGENT_TOOL.name ? asPatch(call.input) : call.input;
  const { config: now, configContent, skillContent, writeAutonomy } = base;
  const agent = { config: now, configContent, skillContent, writeAutonomy };
  const namedHosts = await hostsNamedByOwner(run, call);
  const checked = await readWithModels<CheckedPatch>(
    (unknownModels) =>
      inTextWorker(
        "check-patch",
        { input, agent, namedHosts, unknownModels },
        { account: run.accountId },
      ).catch(asProblem),
    (read) => (read.ok ? read.patch.config : undefined),
  );
  if (!checked.ok)
    return {
      ok: false,
      error: "The change cannot be stored so. Correct this and call the tool again.",
      problems: checked.problems,
    };
  const summaries = [before?.summary, checked.summary].filter((summary) => summary != null);
  return {
    ok: true,
    draft: {
      state: { ...base, ...checked.patch },
      summary: summaries.length > 0 ? [...new Set(summaries)].join(" ") : null,
      leftOut: before?.leftOut ?? [],
      asked: [...new Set([...(before?.asked ?? []), ...checked.asked])],
      last: call,
    },
  };
}

/**
 * Hosts that the owner named in their own words. None where somebody else's words were read before
 * the call: a file may have said what is to be connected there.
 */
async function hostsNamedByOwner(run: LoadedRun, { toolCallId }: ToolCall): Promise<string[]> {
  return isAskedByOwner(run) && !hasReadFilesBefore(run, toolCallId)
    ? [...(await hostsOfWhoAsked(run))]
    : [];
}

/**
 * Where the agent exists, a whole one in its place is a change of all its fields. What is none
 * changes nothing that there is.
 */
function asPatch(input: unknown): unknown {
  const parsed = CREATE_AGENT_TOOL.schema.safeParse(input);
  if (!parsed.success) return input ?? null;
  const { left_out: _, ...fields } = parsed.data;
  return fields;
}

/** What a model is told of a proposal that takes too long to be checked. @throws any other error */
function asProblem(error: unknown): { ok: false; problems: string[] } {
  if (error instanceof TextWorkEnded) return { ok: false, problems: [error.message] };
  throw error;
}

async function create(run: LoadedRun, call: ToolCall): Promise<Proposed> {
  const { input } = call;
  const namedHosts = await hostsNamedByOwner(run, call);
  const checked = await readWithModels<CheckedDraft>(
    (unknownModels) =>
      inTextWorker(
        "check-draft",
        { input, namedHosts, unknownModels },
        { account: run.accountId },
      ).catch(asProblem),
    (read) => (read.ok ? read.draft.config : undefined),
  );
  if (!checked.ok)
    return {
      ok: false,
      error: "The agent cannot be stored so. Correct this and call the tool again.",
      problems: checked.problems,
    };
  const { draft, leftOut, asked } = checked;
  return {
    ok: true,
    draft: {
      state: isAskedByOwner(run) ? draft : asksBeforeWriting(draft),
      summary: null,
      leftOut,
      asked,
      last: call,
    },
  };
}

/** The agent as it was in an earlier version; what the draft had changed is dropped. */
async function restore(
  run: LoadedRun,
  before: BuildDraft | null,
  call: ToolCall,
): Promise<Proposed> {
  const parsed = RESTORE_VERSION_TOOL.schema.safeParse(call.input);
  const number = parsed.data?.number;
  const version =
    number === undefined || !run.agent
      ? null
      : await prisma().agentVersion.findFirst({
          where: { agentId: run.agent.id, number, agent: { accountId: run.accountId } },
        });
  if (!version)
    return {
      ok: false,
      error: "The agent has no version of this number. list_versions names them.",
      problems: [],
    };
  // Stored only after validation.
  const state = pickFields(inWrittenOrder(version), DRAFTED_AGENT_KEYS) as unknown as AgentDraft;
  return {
    ok: true,
    draft: {
      state,
      summary: `Restored version number ${version.number}.`,
      leftOut: before?.leftOut ?? [],
      asked: [],
      last: call,
    },
  };
}

/** No agent makes another one that writes outside without asking: only a person gives that away. */
function asksBeforeWriting(draft: AgentDraft): AgentDraft {
  return draft.writeAutonomy === "full_auto"
    ? { ...draft, writeAutonomy: "approval_required" }
    : draft;
}

function stateOf(agent: LoadedAgent): AgentDraft {
  // Where the text stays, what is stored of its order stays too (`storeAgentState`).
  return pickFields({ ...agent, keyOrder: null }, DRAFTED_AGENT_KEYS);
}

/** What of the agent a draft changes; empty: nothing. */
export function changesOf(agent: LoadedAgent, { state }: BuildDraft): AgentPatch {
  const changed: (keyof AgentDraft)[] = DRAFTED_AGENT_KEYS.filter(
    (key) =>
      key !== "keyOrder" &&
      (isJsonField(key)
        ? !isSame(agent[key] ?? null, state[key] ?? null)
        : agent[key] !== state[key]),
  );
  if (changed.includes("configContent")) changed.push("keyOrder");
  return Object.fromEntries(changed.map((field) => [field, state[field]]));
}

/** Both are bounded to 8,000 values by their formats. */
function isSame(left: unknown, right: unknown): boolean {
  // Stored or checked as JSON.
  return sameJson(left as JsonValue, right as JsonValue, new ComplexityLimit(100_000));
}

/**
 * Whether a call says word for word what the one before it said: its model has nothing more to
 * change.
 */
export function isRepeated(draft: BuildDraft | null, call: ToolCall): boolean {
  return (
    draft !== null &&
    draft.last.name === call.name &&
    JSON.stringify(draft.last.input) === JSON.stringify(call.input)
  );
}
