import "server-only";
import { applyBuild } from "@/lib/domain/builds/apply-build";
import { authorizeBuild } from "@/lib/domain/builds/authorize-build";
import {
  buildCorrection,
  builderPrompt,
  buildTools,
  editedAgent,
} from "@/lib/domain/builds/build-prompt";
import { endOverdueBuild, endSpokenBuild } from "@/lib/domain/builds/end-build";
import { hasReadOutside, readsFiles } from "@/lib/domain/builds/lint-draft";
import { answeringProgram } from "@/lib/domain/execution/programs/answering-program";
import type { LoadedRun, RunProgram } from "@/lib/domain/execution/run/loaded-run";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { describeAgent } from "@/lib/runtime/prompts/prompts";

/** Turns that a build may take in vain: what its model proposes does not fit. */
const VAIN_STEPS_MAX = 4;
/**
 * Turns beside those, of which something came: a draft, a guide, a try; or that were lost because
 * others changed the agent meanwhile.
 */
const USEFUL_STEPS_MAX = 16;

/** A run that drafts an agent by tools of its own, and stores the draft at its end. */
const buildProgram: Omit<RunProgram, "facts" | "stepLimit" | "toolChoice"> = {
  // It works on an agent, by none.
  config: () => null,
  reasoning: () => env().BUILDER_REASONING,
  mayKeepNotes: () => false,

  maxSteps: (run) => VAIN_STEPS_MAX + Math.min(usefulTurns(run), USEFUL_STEPS_MAX),
  answersLast: false,
  endOverdue: async (run, failure, openLog) => endOverdueBuild(run, await openLog(), failure),

  hearsFailed: true,
  recalls: "words",
  sumsUp: true,

  tools: async (run) => ({ tools: buildTools(run), unavailable: [] }),
  ownTools: () => [],
  instructions: builderPrompt,
  // It works on the agent as it is: a change meanwhile is told, and nothing overwrites it.
  keepsVersion: false,
  situation: async ({ agent }) =>
    agent
      ? {
          edited: {
            version: agent.currentVersionId,
            text: describeAgent("current_agent", editedAgent(agent)).join("\n\n"),
          },
        }
      : {},
  request: (run) => String(run.input.text),
  correction: buildCorrection,
  messageBefore: () => null,

  mayRepeat: true,
  judge: authorizeBuild,
  carryOut: applyBuild,
  showsPrivate: ({ name, input }, { output }) =>
    readsFiles(name, input) || hasReadOutside(name, output),

  // What a cut message is worth its end says: there is no answer to go on with.
  conclude: (run, limits) =>
    run.transcript.turns.at(-1)?.finishReason === "length"
      ? "end"
      : answeringProgram.conclude(run, limits),
  storesTurnWithEnd: false,
  end: (run, _limits, writer) => endSpokenBuild(run, writer),
};

export const creationProgram: RunProgram = {
  ...buildProgram,
  facts: {
    kind: "agent_creation",
    family: "creation",
    routes: "agent",
    title: { of: "Create {agent}", alone: "Create an agent" },
  },
  stepLimit: () => inVain("build an agent"),
  toolChoice: (run) => ({ type: isUncalled(run) ? "required" : "auto" }),
};

export const editProgram: RunProgram = {
  ...buildProgram,
  facts: {
    kind: "agent_edit",
    family: "creation",
    routes: "agent",
    title: { of: "Edit {agent}", alone: "Edit an agent" },
  },
  stepLimit: () => inVain("work out a change of the agent"),
  toolChoice: () => ({ type: "auto" }),
};

function inVain(what: string): RunFailure {
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `The model did not ${what} from this request. Nothing was stored; say more precisely what ` +
      "you want.",
  );
}

function usefulTurns(run: LoadedRun): number {
  const useful = run.transcript.turns.filter(({ content, agentVersionId }) => {
    const results = content.flatMap((part) =>
      part.type === "tool-call" ? [run.transcript.resultOf(part.toolCallId)] : [],
    );
    return (
      agentVersionId !== (run.agent?.currentVersionId ?? null) ||
      results.some((result) => result?.succeeded)
    );
  });
  return useful.length;
}

/** Small models like to chat about a request; a question and a refusal have a call, too. */
function isUncalled(run: LoadedRun): boolean {
  return !run.agent && run.transcript.sinceCall().length === run.transcript.turns.length;
}
