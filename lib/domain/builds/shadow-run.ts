import "server-only";
import { type SeedFile, ShadowFiles } from "@/lib/domain/builds/shadow-files";
import { type CallNote, ShadowLog } from "@/lib/domain/builds/shadow-log";
import {
  type SampleAnswers,
  type ShadowToolset,
  shadowTools,
  wayOf,
} from "@/lib/domain/builds/shadow-tools";
import { chargeRun } from "@/lib/domain/credits/ledger";
import { chargeOf, settleCut } from "@/lib/domain/execution/pay/paid-call";
import {
  callPaidModel,
  callPrices,
  timeIsUp,
  usedTokens,
} from "@/lib/domain/execution/pay/paid-model-call";
import { BLOCKED, policyOf, withoutTool } from "@/lib/domain/execution/permission/authorize-call";
import { agentProgram } from "@/lib/domain/execution/programs/agent-program";
import { resultTokensMax } from "@/lib/domain/execution/prompt/context-window";
import { seesImages, takesPdf } from "@/lib/domain/execution/prompt/prompt-files";
import { buildPrompt } from "@/lib/domain/execution/prompt/run-prompt";
import { toApprovals } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunLimits, RunProgram } from "@/lib/domain/execution/run/loaded-run";
import { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import { type SecretRedactor, secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import {
  type StoredToolResult,
  type StoredTurn,
  Transcript,
  turnText,
} from "@/lib/domain/execution/run/transcript";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { toContent, turnModels, turnRequest } from "@/lib/domain/execution/turn/call-model";
import { outputSchema, resultOf } from "@/lib/domain/execution/turn/complete-run";
import { followsFrom } from "@/lib/domain/execution/turn/follows";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { chooseModel } from "@/lib/domain/runs/request-run";
import { waitOutside } from "@/lib/engine/drive";
import { env } from "@/lib/env";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { DEFAULT_CODE_SECONDS } from "@/lib/model/limits";
import { RunFailure } from "@/lib/model/run/run-failure";
import { type Artifact, type RunResult, toMicros } from "@/lib/model/run/run-result";
import { newId } from "@/lib/platform/ids";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import { redactedTool } from "@/lib/runtime/tools/resolve-tools";
import { checkArguments, executeTool, type RuntimeTool } from "@/lib/runtime/tools/tool";
import type { ArtifactPort } from "@/lib/runtime/tools/tool-ports";

/** A run of an agent that leaves nothing behind, for the build whose agent it is. */
export interface ShadowRequest {
  /** Names it within the build: what was paid for under it is not done again. */
  key: string;
  /** The call of the build that it is made for; null: none. */
  toolCallId: string | null;
  agent: Omit<AgentDraft, "keyOrder">;
  input: JsonObject;
  /** What tools that act outside are answered with. */
  answers: SampleAnswers;
  /** What lies among its files when it begins. */
  files: readonly SeedFile[];
  workspace: { id: string; name: string; fileCount: number } | null;
  /** Hosts that it may really read from. */
  named: ReadonlySet<string>;
  /** What it may use of what the build has. */
  limits: Pick<RunLimits, "deadline" | "maxCreditsMicros">;
}

export interface ShadowCall extends CallNote {
  name: string;
  arguments: unknown;
  result: ToolResult;
}

/** What came of a shadow run. */
export interface ShadowOutcome {
  /** `stopped`: it would have acted outside, and `answers` does not say what that gives. */
  is: "completed" | "failed" | "stopped";
  /** Null where there is none. */
  result: Pick<RunResult, "text" | "data"> | null;
  /** What it said last, whatever came of it. */
  said: string;
  /** How its model ended its last turn; null where it took none. */
  finishReason: string | null;
  /** Whether the answer fits the `output_schema`; null: there is none, or no answer. */
  fits: boolean | null;
  /** Why it failed or was stopped. */
  problem: { code: string; message: string } | null;
  calls: ShadowCall[];
  artifacts: Artifact[];
  model: string;
  turns: number;
  /** Millionths of a credit. */
  micros: bigint;
  notTried: string[];
  /** Whether it shows what somebody outside wrote. */
  readOutside: boolean;
}

/** The call that ended a shadow run, since nobody has said what it gives. */
class Unanswered extends Error {
  override readonly name = "Unanswered";

  constructor(
    readonly tool: string,
    readonly args: unknown,
  ) {
    super("a call of a shadow run has no answer");
  }
}

/**
 * Runs an agent on one input as a run would: by the same program, prompts, tools, form of the
 * answer and limits, of which its model hears nothing else. What its tools would do outside is
 * answered as asked; nothing is written. The build pays for its model under names of the shadow's
 * own; what was said and given is kept, so that a repeated step pays for nothing again. What fails
 * of the agent is an outcome.
 * @throws what ends the step of the build itself
 */
export async function runShadow(
  build: LoadedRun,
  step: RunStep,
  request: ShadowRequest,
): Promise<ShadowOutcome> {
  const shadow = await Shadow.begin(build, step, request);
  const end = await shadow.work();
  const outcome = await shadow.outcome(end);
  await build.cost.refresh();
  return outcome;
}

type End =
  | { is: "completed"; result: RunResult }
  | { is: "failed" | "stopped"; problem: { code: string; message: string } };

class Shadow {
  readonly #notes = new Map<string, CallNote>();
  readonly #artifacts: Artifact[] = [];
  #isRedone = false;

  private constructor(
    readonly build: LoadedRun,
    readonly step: RunStep,
    readonly request: ShadowRequest,
    readonly run: LoadedRun,
    readonly limits: RunLimits,
    readonly toolset: ShadowToolset,
    readonly files: ShadowFiles,
    readonly log: ShadowLog,
    readonly secrets: SecretRedactor,
  ) {}

  static async begin(build: LoadedRun, step: RunStep, request: ShadowRequest): Promise<Shadow> {
    const { agent, answers, named, workspace } = request;
    const toolset = await shadowTools(build, agent, answers, named, step.signal);
    const secrets = await secretRedactor(build.accountId, build.surroundings.secrets);
    const files = new ShadowFiles(build, workspace?.id ?? null, request.files, secrets.results);
    const within = { turn: build.transcript.last?.turn ?? 0, toolCallId: request.toolCallId };
    const { log, turns, results } = await ShadowLog.open(build, request.key, within);
    const run = toRun(
      build,
      request,
      new Transcript(turns, results.map(plainResult)),
      toolset.tools,
    );
    const own = runLimits(run);
    // Waited for, it would be done again from its beginning, and what it has paid for with it.
    const lesser = lesserLimits(build, own.deadline, request);
    const limits = { ...own, ...lesser, waitsForCredits: false };
    const shadow = new Shadow(
      ...([build, step, request, run, limits] as const),
      ...([toolset, files, log, secrets] as const),
    );
    for (const { by, asks, toolCallId } of results) shadow.#notes.set(toolCallId, { by, asks });
    return shadow;
  }

  async work(): Promise<End> {
    const { run, limits, step } = this;
    try {
      for (let turn = 0; ; turn += 1) {
        if (turn >= limits.maxSteps) throw run.program.stepLimit(run, limits.maxSteps);
        const taken = run.transcript.turn(turn) ?? (await this.#takeTurn(turn));
        const follows = followsFrom(run, taken, limits, new Set());
        if (follows.is === "failed") throw follows.failure;
        const result = follows.is === "end" ? resultOf(run, limits) : null;
        if (result) return { is: "completed", result };
        for (const call of run.transcript.openCalls(taken)) await this.#makeCall(turn, call);
      }
    } catch (error) {
      if (step.signal.aborted) throw error;
      if (error instanceof Unanswered)
        return { is: "stopped", problem: { code: "NO_ANSWER", message: unansweredText(error) } };
      if (!(error instanceof RunFailure)) throw error;
      return { is: "failed", problem: { code: error.code, message: error.message } };
    }
  }

  async outcome(end: End): Promise<ShadowOutcome> {
    const { run, build, request, toolset } = this;
    const { turns } = run.transcript;
    const last = turns.at(-1);
    const schema = outputSchema(run);
    const calls = run.transcript.calls().flatMap(({ toolCallId, name, input }) => {
      const result = run.transcript.resultOf(toolCallId);
      const note = this.#notes.get(toolCallId);
      return result && note ? [{ ...note, name, arguments: input, result }] : [];
    });
    const { rows } = await postgres().query<{ micros: string }>(
      `SELECT coalesce(sum(credits_micros), 0) AS micros FROM run_usage
       WHERE run_id = $1 AND account_id = $2 AND starts_with(step_key, $3)`,
      [build.id, build.accountId, stepKey(request.key, "")],
    );
    const result = end.is === "completed" ? end.result : null;
    const misfits = end.is === "failed" && end.problem.code === "MODEL_CANNOT_ANSWER";
    return {
      is: end.is,
      result: result && { text: result.text, ...("data" in result && { data: result.data }) },
      said: last ? turnText(last) : "",
      finishReason: last?.finishReason ?? null,
      fits: schema === null ? null : result ? true : misfits ? false : null,
      problem: end.is === "completed" ? null : end.problem,
      calls,
      artifacts: this.#artifacts,
      model: last?.model ?? run.model,
      turns: turns.length,
      micros: BigInt(rows[0]?.micros ?? 0),
      notTried: toolset.notTried,
      readOutside: toolset.showsListings || calls.some(({ by }) => by === "reads"),
    };
  }

  async #takeTurn(turn: number): Promise<StoredTurn> {
    const { build, step, run, limits, log, secrets, request } = this;
    if (limits.deadline.getTime() <= Date.now()) throw timeIsUp();
    const { unavailable: _, ...shown } = await buildPrompt(run, turn, limits, step.signal);
    const { models, maxOutputTokens, settings } = turnModels(run);
    const prices = callPrices(shown, maxOutputTokens, settings.cache);
    const least = prices.least(models[0]?.id ?? run.model);
    const startedAt = performance.now();
    const input = { run, turn, limits, notices: [], ...shown };
    const unheard = () => {};
    return callPaidModel<StoredTurn>({
      run,
      limits,
      prices,
      covered: null,
      request: turnRequest(input, { onText: unheard, onReasoning: unheard, onRetry: unheard }),
      signal: step.signal,
      isTimed: false,
      async settle(said) {
        const taken = {
          turn,
          messageId: newId(),
          model: said.model,
          content: await toContent(input, said, secrets.output),
          finishReason: said.finishReason,
          agentVersionId: null,
          told: shown.told,
          countedTokens: null,
        };
        const used = usedTokens(said.model, said.usage, least);
        const charge = chargeOf(build, limits, stepKey(request.key, `${turn}`), used);
        await log.addTurn(taken, charge, { startedAt });
        run.transcript.append(taken);
        return taken;
      },
      settleCut: ({ model, usage }) => {
        const key = stepKey(request.key, `${turn}-${newId()}`);
        const charge = chargeOf(build, limits, key, usedTokens(model, usage, least));
        const pay = () => withinAccount(build.accountId, () => chargeRun(postgres(), charge));
        return settleCut(build, step.signal, charge, pay);
      },
    });
  }

  async #makeCall(turn: number, call: ToolCall): Promise<void> {
    const startedAt = performance.now();
    const { by, asks, result } = await this.#resultOf(turn, call);
    const { succeeded, output } = result;
    const { toolCallId, name } = call;
    await this.log.addResult({ toolCallId, name, succeeded, output, by, asks }, { startedAt });
    this.#notes.set(toolCallId, { by, asks });
    this.run.transcript.addResult({ toolCallId, name, succeeded, output });
  }

  async #resultOf(turn: number, call: ToolCall): Promise<CallNote & { result: ToolResult }> {
    const { build, run, request, toolset } = this;
    const tool = toolset.tools.find(({ name }) => name === call.name);
    const refused = (result: ToolResult) => ({ by: "refused" as const, asks: false, result });
    if (!tool) {
      const decision = withoutTool(run, call);
      if (decision.action === "answer") return refused(decision.result);
      throw new Error("a tool that is not there cannot run");
    }
    const policy = policyOf(run, tool);
    if (policy === "refuse") return refused({ succeeded: false, output: { error: BLOCKED } });
    const misfit = checkArguments(tool, call.input);
    if (misfit) return refused(misfit);
    const repeated = run.transcript.repeatedResult(call);
    if (repeated) return refused(repeated);
    const asks = policy === "ask";
    const { answers, named } = request;
    const earlier = run.transcript
      .calls()
      .filter(({ name, toolCallId }) => name === call.name && this.#notes.has(toolCallId)).length;
    const way = wayOf(build, tool, call, { answers, named, asks, earlier });
    if (way.is === "unanswered") throw new Unanswered(call.name, call.input);
    if (way.is === "answered") return { by: "answers", asks, result: way.result };
    if (way.is === "works") await this.#redo();
    return { by: way.is, asks, result: await this.#execute(turn, tool, call) };
  }

  async #execute(turn: number, tool: RuntimeTool, call: ToolCall): Promise<ToolResult> {
    const { build, step, run, limits, files, secrets } = this;
    const room = resultTokensMax(run, turn);
    const left = Math.max(0, limits.deadline.getTime() - Date.now());
    const over = AbortSignal.timeout(Math.min(left, 2 ** 31 - 1));
    const { redactInSteps: redact, isEmpty } = secrets.results;
    try {
      const surroundings = {
        runId: build.id,
        accountId: build.accountId,
        toolCallId: `${this.request.key}-${call.toolCallId}`,
        signal: AbortSignal.any([step.signal, over]),
        ...(step.untimed && { untimed: step.untimed }),
        files,
        artifacts: this.#artifactPort(),
        codeSeconds: Math.min(
          run.agent?.config.limits?.code_seconds ?? DEFAULT_CODE_SECONDS,
          env().CODE_SECONDS_MAX,
        ),
        seesImages: seesImages(run),
        takesPdf: takesPdf(run),
        ...(!isEmpty && { redact }),
        emit: () => {},
        todo: run.surroundings.todo,
        ...(room !== null && { outputMaxTokens: room }),
      };
      // Connectors, the sandbox and the readers of documents have places of their own.
      return await waitOutside(() =>
        executeTool(redactedTool(tool, redact), call.input, surroundings),
      );
    } catch (error) {
      throw over.aborted && !step.signal.aborted ? timeIsUp() : error;
    }
  }

  /** What would be handed over; its bytes are kept nowhere. */
  #artifactPort(): ArtifactPort {
    return {
      create: async ({ title, name, type, content }) => {
        const id = newId();
        const size_bytes = (await new Response(content).arrayBuffer()).byteLength;
        const artifact = { id, title, name, type, url: `artifact:${id}`, size_bytes };
        this.#artifacts.push(artifact);
        return artifact;
      },
    };
  }

  /**
   * Before the first tool works after a crash: what the calls that were made had written, which was
   * in memory alone.
   */
  async #redo(): Promise<void> {
    if (this.#isRedone) return;
    this.#isRedone = true;
    for (const taken of this.run.transcript.turns)
      for (const call of this.run.transcript.calls([taken])) {
        const tool = this.toolset.tools.find(({ name }) => name === call.name);
        if (tool && this.#notes.get(call.toolCallId)?.by === "works")
          await this.#execute(taken.turn, tool, call);
      }
  }
}

function plainResult({ by: _, asks: _asks, ...result }: StoredToolResult & CallNote) {
  return result;
}

/** Names a paid call of a shadow run within its build. */
function stepKey(key: string, call: string): string {
  return `${key}-try-${call}`;
}

/** The agent's run as its program is given it. */
function toRun(
  build: LoadedRun,
  { agent, input, workspace }: ShadowRequest,
  transcript: Transcript,
  tools: RuntimeTool[],
): LoadedRun {
  const program: RunProgram = {
    ...agentProgram,
    // Notes are about people, and the builder is none of them.
    mayKeepNotes: () => false,
    sumsUp: false,
    tools: async () => ({ tools, unavailable: [] }),
  };
  return {
    ...build,
    kind: "agent",
    program,
    conversationId: null,
    workspaceId: workspace?.id ?? null,
    input,
    endUser: null,
    model: chooseModel(null, agent),
    startedAt: new Date(),
    waitedMs: 0,
    agent: {
      ...agent,
      id: build.agent?.id ?? newId(),
      version: build.agent?.version ?? "1.0.0",
      currentVersionId: build.agent?.currentVersionId ?? newId(),
      versionNumber: build.agent?.versionNumber ?? 1,
      isOwners: true,
    },
    transcript,
    waiting: [],
    approvals: toApprovals([]),
    context: new PromptContext({
      earlierIn: null,
      history: [],
      conversation: null,
      compaction: null,
      seenPrivate: false,
    }),
    surroundings: {
      ...build.surroundings,
      workspace,
      artifacts: [],
      todo: { cardId: null, items: [] },
    },
  };
}

/** The agent's own limits, within what the build gives. */
function lesserLimits(
  build: LoadedRun,
  deadline: Date,
  { agent, limits: given }: ShadowRequest,
): ShadowRequest["limits"] {
  const credits = agent.config.limits?.max_credits ?? null;
  const caps = [
    given.maxCreditsMicros,
    // A build's ceiling counts all that the build has spent.
    credits === null ? null : build.cost.spentMicros + toMicros(credits),
  ].filter((cap) => cap !== null);
  return {
    deadline: deadline < given.deadline ? deadline : given.deadline,
    maxCreditsMicros: caps.sort((a, b) => (a < b ? -1 : 1))[0] ?? null,
  };
}

const ARGUMENTS_SHOWN_CHARACTERS = 500;

function unansweredText({ tool, args }: Unanswered): string {
  const shown = JSON.stringify(args ?? null)
    .slice(0, ARGUMENTS_SHOWN_CHARACTERS)
    .toWellFormed();
  return (
    `It called ${tool} with ${shown}, which acts outside and was not made. Say in answers what ` +
    `${tool} gives, and try again to see how it goes on.`
  );
}
