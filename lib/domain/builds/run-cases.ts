import "server-only";
import { createHash } from "node:crypto";
import { type BuildDraft, changesOf } from "@/lib/domain/builds/build-draft";
import { runShadow, type ShadowOutcome } from "@/lib/domain/builds/shadow-run";
import { seedsOf, shareOf } from "@/lib/domain/builds/try-agent";
import { type AgentCase, listCases } from "@/lib/domain/datasets/agent-cases";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { failedChecks } from "@/lib/model/evaluation/checks";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import type { CaseCounts } from "@/lib/model/run/run-result";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import { ToolFailure } from "@/lib/runtime/tools/tool";

/** What the cases of an agent say of a change of it. */
export interface CaseRuns extends CaseCounts {
  /** Those that passed before and do not now, each with what it fails of. */
  regressions: { name: string; problems: string[] }[];
  /** Those for which the build had no time or no credits left. */
  notRun: number;
}

/** What of an agent decides how its cases come out. */
const TELLING = ["skillContent", "config", "writeAutonomy"] as const;

/**
 * Runs the cases of the agent that is edited as it is and as the draft has it, each as a shadow
 * run, within what the build has left of its time and credits. What ran once in this build is not
 * run, nor paid for, again. Only what ran on both sides counts.
 * @returns null where there are no cases, or the change touches nothing that they could show
 */
export async function runCases(
  run: LoadedRun,
  draft: BuildDraft,
  step: RunStep,
  toolCallId: string | null,
): Promise<CaseRuns | null> {
  const { agent } = run;
  if (!agent) return null;
  const changed = changesOf(agent, draft);
  if (!TELLING.some((key) => key in changed)) return null;
  const cases = await listCases(run.accountId, agent.id);
  if (cases.length === 0) return null;
  const { deadline } = shareOf(run);
  const after = { ...agent, ...draft.state };
  const sides = { before: agent.currentVersionId, after: digestOf(draft.state) };
  const runs: CaseRuns = {
    before: { passed: 0, of: 0 },
    after: { passed: 0, of: 0 },
    failed: [],
    regressions: [],
    notRun: 0,
  };
  for (const [index, one] of cases.entries()) {
    const limits = { ...shareOf(run), deadline };
    const judge = (side: keyof typeof sides, tried: LoadedAgent) =>
      problemsOf(run, step, { one, tried, limits, toolCallId, key: `${sides[side]}-${one.id}` });
    const was = deadline.getTime() > Date.now() ? await judge("before", agent) : null;
    const is = was === null ? null : await judge("after", after);
    if (was === null || is === null) {
      runs.notRun = cases.length - index;
      break;
    }
    runs.before.of += 1;
    runs.after.of += 1;
    if (was.length === 0) runs.before.passed += 1;
    if (is.length === 0) runs.after.passed += 1;
    else runs.failed.push(one.name);
    if (was.length === 0 && is.length > 0) runs.regressions.push({ name: one.name, problems: is });
  }
  return runs;
}

interface Judged {
  one: AgentCase;
  tried: LoadedAgent;
  limits: ReturnType<typeof shareOf>;
  toolCallId: string | null;
  key: string;
}

/** What a case fails of; null where the build could not afford to know. */
async function problemsOf(
  run: LoadedRun,
  step: RunStep,
  { one, tried, limits, toolCallId, key }: Judged,
): Promise<string[] | null> {
  const { inputs } = effectiveConfig(tried.config);
  const misfits = inputs ? validateAgainst(inputs, one.input) : [];
  if (misfits.length > 0)
    return [`its input does not fit: ${misfits[0]?.path}: ${misfits[0]?.message}`];
  try {
    const outcome = await runShadow(run, step, {
      key: `case-${key}`,
      toolCallId,
      agent: tried,
      input: one.input as Record<string, JsonValue>, // stored as JSON
      answers: one.answers as Record<string, JsonValue>, // stored as JSON
      files: seedsOf(one.files),
      workspace: null,
      // A case is to come out the same each time: what it reads stands in it.
      named: new Set(),
      limits,
    });
    return isUnaffordable(outcome) ? null : problemsIn(one, outcome);
  } catch (error) {
    if (error instanceof ToolFailure) return [error.message];
    throw error;
  }
}

/** Whether what was left of the build, and nothing of the agent, ended it. */
function isUnaffordable({ problem }: ShadowOutcome): boolean {
  return (
    problem !== null &&
    ["TIMEOUT", "BUDGET_EXCEEDED", "INSUFFICIENT_CREDITS"].includes(problem.code)
  );
}

function problemsIn({ checks }: AgentCase, outcome: ShadowOutcome): string[] {
  const { result, problem, calls } = outcome;
  if (!result) return [problem?.message ?? "it came to no answer"];
  const data = result.data === undefined ? {} : { data: result.data as JsonValue }; // parsed JSON
  return failedChecks(checks, { text: result.text, ...data, tools: calls.map(({ name }) => name) });
}

/** Names a draft: the same one is the same, whatever the calls that made it. */
function digestOf({ keyOrder: _, ...state }: AgentDraft): string {
  return createHash("sha256").update(JSON.stringify(state)).digest("hex").slice(0, 32);
}

/** `Cases: 12 of 12 before, 11 of 12 now. Failing now: Odd order.` */
export function wordsOfCases({ before, after, failed, notRun }: CaseRuns): string {
  const names = failed.length > 0 ? ` Failing now: ${failed.join(", ")}.` : "";
  const rest = notRun > 0 ? ` ${notRun} could not be run: no time or credits were left.` : "";
  return (
    `Cases: ${before.passed} of ${before.of} before, ${after.passed} of ${after.of} ` +
    `now.${names}${rest}`
  );
}
