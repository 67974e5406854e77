import "server-only";
import { creationProgram, editProgram } from "@/lib/domain/builds/build-program";
import { agentProgram, appProgram } from "@/lib/domain/execution/programs/agent-program";
import type { RunProgram, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import { superAgentProgram } from "@/lib/domain/super-agent/super-agent-program";

/**
 * The kinds of runs, a line each. All that the rest of the service goes by of a kind (the words of
 * the API, who shows its runs, which conversations they continue, what the console calls them) is
 * made of the facts of these programs: after a change of a fact run
 * `npx vitest run --project=unit lib/domain/run-programs.test.ts -u`.
 */
export const PROGRAMS: readonly RunProgram[] = [
  agentProgram,
  creationProgram,
  editProgram,
  superAgentProgram,
  appProgram,
];

/** What a run of each kind does. */
export const RUN_PROGRAMS = Object.fromEntries(
  PROGRAMS.map((program) => [program.facts.kind, program]),
) as RunPrograms; // the kinds are made of this list
