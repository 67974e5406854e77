import "server-only";
import {
  answeringProgram,
  promptContext,
  runTask,
} from "@/lib/domain/execution/programs/answering-program";
import type { RunProgram } from "@/lib/domain/execution/run/loaded-run";
import { agentsPort } from "@/lib/domain/super-agent/agents-port";
import { findProductProfile } from "@/lib/domain/super-agent/product-profile";
import { superAgentPrompt } from "@/lib/runtime/prompts/prompts";
import { superAgentTools } from "@/lib/runtime/tools/super-agent-tools";

/** A run that works by the account's agents: it makes, changes and runs them. */
export const superAgentProgram: RunProgram = {
  ...answeringProgram,
  facts: {
    kind: "super_agent",
    family: "super_agent",
    routes: "super_agent",
    startsRuns: "own",
    title: { of: "Super-agent", alone: "Super-agent" },
  },
  ownTools: (run) => superAgentTools((context) => agentsPort(run, context)),
  async instructions(run, shown) {
    const context = promptContext(run, shown);
    return {
      system: superAgentPrompt(await findProductProfile(run.accountId), context),
      task: runTask(run, { leadsAgents: true }),
    };
  },
  // What waits for others may ask as often as it likes.
  mayRepeat: true,
};
