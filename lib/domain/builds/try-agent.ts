import "server-only";
import { draftOf } from "@/lib/domain/builds/build-draft";
import type { SeedFile } from "@/lib/domain/builds/shadow-files";
import { runShadow, type ShadowOutcome, type ShadowRequest } from "@/lib/domain/builds/shadow-run";
import { isAskedByOwner, type LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { hostsOfWhoAsked } from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { toUsage } from "@/lib/domain/runs/run-view";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { toCredits } from "@/lib/model/run/run-result";
import { TRY_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";

/** Of one build. */
const TRIES_MAX = 5;
/**
 * How much of the time and the credits that a build has left its tries may take, each of the rest.
 */
const SHARE = 2;
/** With less of a build's time left nothing is tried. */
const TIME_MIN_MS = 5_000;
const SHOWN_MAX_CHARACTERS = 2_000;
const TEXT_MAX_CHARACTERS = 12_000;

/**
 * Runs the draft on one input, for its builder to look at: a shadow run (`runShadow`), which the
 * build pays for. Whatever becomes of it is the tool's result, so that the build and its draft go
 * on.
 */
export async function tryAgent(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult> {
  const parsed = TRY_AGENT_TOOL.schema.safeParse(call.input);
  if (!parsed.success)
    return failed(
      `The arguments do not fit: ${parsed.error.issues
        .slice(0, 5)
        .map(({ path, message }) => `${path.join(".") || "try_agent"}: ${message}`)
        .join("; ")}`,
    );
  const agent = (await draftOf(run))?.state ?? run.agent;
  if (!agent) return failed("There is no draft to try yet.");
  const { results } = run.transcript;
  const made = [...results.values()].filter(
    ({ name, succeeded }) => name === call.name && succeeded,
  );
  if (made.length >= TRIES_MAX)
    return failed(`A draft is tried ${TRIES_MAX} times at most. Finish.`);
  const { starter, answers = {}, files = {} } = parsed.data;
  const config = effectiveConfig(agent.config);
  const input = (parsed.data.input ?? {
    request: starter ?? config.starters[0] ?? "",
  }) as JsonObject; // parsed JSON
  const misfits = config.inputs ? validateAgainst(config.inputs, input).slice(0, 5) : [];
  if (misfits.length > 0)
    return failed(
      "The input does not fit `inputs`: " +
        `${misfits.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    );
  const workspace =
    parsed.data.workspace === undefined
      ? null
      : await findWorkspace(run.accountId, parsed.data.workspace);
  if (parsed.data.workspace !== undefined && !workspace)
    return failed("There is no workspace of this name.");
  const limits = shareOf(run);
  if (limits.deadline.getTime() - Date.now() < TIME_MIN_MS / SHARE)
    return failed("There is no time left to try the draft. Finish.");
  try {
    const outcome = await runShadow(run, step, {
      key: call.toolCallId,
      toolCallId: call.toolCallId,
      agent,
      input,
      answers: answers as Record<string, JsonValue>, // parsed JSON
      files: seedsOf(files),
      workspace,
      named: isAskedByOwner(run) ? await hostsOfWhoAsked(run) : new Set(),
      limits,
    });
    step.log.append({ type: "usage.updated", usage: toUsage(run.cost.usage) });
    return { succeeded: true, output: { input, ...shownOutcome(outcome) } };
  } catch (error) {
    // A path of `files` that cannot be one.
    if (error instanceof ToolFailure) return failed(error.message);
    throw error;
  }
}

/**
 * What of a build's time and credits one shadow run may take, so that the build comes to its end.
 */
export function shareOf(run: LoadedRun): ShadowRequest["limits"] {
  const { deadline, maxCreditsMicros } = runLimits(run);
  const leftMs = Math.max(0, deadline.getTime() - Date.now());
  const { spentMicros } = run.cost;
  return {
    deadline: new Date(Date.now() + leftMs / SHARE),
    maxCreditsMicros:
      maxCreditsMicros === null
        ? null
        : spentMicros + (maxCreditsMicros - spentMicros) / BigInt(SHARE),
  };
}

export function seedsOf(files: Readonly<Record<string, string>>): SeedFile[] {
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

async function findWorkspace(accountId: string, name: string): Promise<ShadowRequest["workspace"]> {
  const row = await prisma().workspace.findFirst({
    where: { accountId, name },
    orderBy: { id: "desc" },
  });
  return (
    row && {
      id: row.id,
      name,
      fileCount: await prisma().workspaceFile.count({ where: { workspaceId: row.id, accountId } }),
    }
  );
}

/** What the builder is told. `read_outside` is also how later calls of the build know of it. */
function shownOutcome(outcome: ShadowOutcome): JsonObject {
  const { is, result, said, fits, problem, calls, artifacts, notTried } = outcome;
  return {
    outcome: is,
    finish_reason: outcome.finishReason,
    calls: calls.map(({ name, arguments: args, result: given, by, asks }) => ({
      name,
      arguments: shown(args),
      outcome: `${given.succeeded ? "" : "failed: "}${shown(given.output)}`,
      by,
      ...(asks && { waits_for_a_person: true }),
    })),
    answer: result ? cut(result.text, TEXT_MAX_CHARACTERS) : null,
    ...(!result && said !== "" && { said_last: cut(said, TEXT_MAX_CHARACTERS) }),
    ...(fits !== null && { fits_output_schema: fits }),
    ...(artifacts.length > 0 && {
      artifacts: artifacts.map(({ name, type, size_bytes }) => ({ name, type, size_bytes })),
    }),
    problem: problem && `${problem.code}: ${problem.message}`,
    model: outcome.model,
    turns: outcome.turns,
    credits: toCredits(outcome.micros),
    ...(notTried.length > 0 && { not_tried: `The tools of ${notTried.join(", ")} (MCP).` }),
    ...(outcome.readOutside && { read_outside: true }),
  };
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value ?? null), SHOWN_MAX_CHARACTERS);
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}… (cut)`;
}

function failed(error: string): ToolResult {
  return { succeeded: false, output: { error } };
}
