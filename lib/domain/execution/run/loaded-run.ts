import "server-only";
import type { ToolCallDecision } from "@/lib/domain/execution/permission/decision";
import type { PromptContext } from "@/lib/domain/execution/run/prompt-context";
import type { RunCost } from "@/lib/domain/execution/run/run-cost";
import type { SealedSecret } from "@/lib/domain/execution/run/secret-redactor";
import type {
  ReceivedMessage,
  StoredTurn,
  Transcript,
} from "@/lib/domain/execution/run/transcript";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import type { UnavailableConnector } from "@/lib/domain/execution/tools/list-servers";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import type { SettledTurn } from "@/lib/domain/execution/turn/settled-turn";
import type { RunSkill } from "@/lib/domain/skills/skill-view";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import type { ApprovalStatus } from "@/lib/model/approval/approval";
import type { ReasoningEffort } from "@/lib/model/models/model-facts";
import type { RulesTask } from "@/lib/model/models/rules-task";
import type { OnBudget } from "@/lib/model/run/on-budget";
import type { RunFailure } from "@/lib/model/run/run-failure";
import type { KindFacts } from "@/lib/model/run/run-kind";
import type { Artifact } from "@/lib/model/run/run-result";
import type { RunKind, RunOrigin, RunStatus } from "@/lib/model/run/run-status";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import type { TurnToolChoice } from "@/lib/runtime/models/read-turn";
import type { Situation } from "@/lib/runtime/prompts/situation";
import type { RuntimeTool, TodoState } from "@/lib/runtime/tools/tool";

/** What its draft says, but for what only a text that is stored needs. */
export interface LoadedAgent extends Omit<AgentDraft, "keyOrder"> {
  id: string;
  version: string;
  currentVersionId: string;
  /** The number of that version. */
  versionNumber: number;
  /** Whether a person had it made: not so what an agent's run created. */
  isOwners: boolean;
}

/** What a run's row says. Steps read it anew; nothing here changes it. */
export interface RunRecord {
  readonly id: string;
  readonly accountId: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  readonly conversationId: string | null;
  readonly workspaceId: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whom it serves, as its caller names them; null where it named nobody. */
  readonly endUser: string | null;
  readonly model: string;
  /** Who asked for it. */
  readonly origin: RunOrigin;
  /** It may start runs of its own, which share its limit. */
  readonly leads: boolean;
  /** The run that started it. */
  readonly parentRunId: string | null;
  readonly maxCreditsMicros: bigint | null;
  /** That was raised while the run worked: it holds in place of the agent's own. */
  readonly isMaxRaised: boolean;
  /** What its start says of credits that do not cover its next call; null: as its config says. */
  readonly onBudget: OnBudget | null;
  readonly releaseNote: string | null;
  readonly startedAt: Date | null;
  readonly createdAt: Date;
  /** The trace that its steps are part of. */
  readonly traceParent: string | null;
  /**
   * How long the run has waited for people, for credits and for places that accounts share, in
   * milliseconds: time that its limit does not count.
   */
  readonly waitedMs: number;
  /** Whose time its prompt tells: an IANA name, of the schedule where one started it. */
  readonly zone: string;
  /** Who hears of its end beside those who follow it. */
  readonly webhookUrl: string | null;
  readonly shouldNotify: boolean;
}

/** What lies around a run when a step begins: of its account, and of what it has made. */
export interface Surroundings {
  readonly accountId: string;
  /** The person for whom it is: what is theirs of the secrets stands before the account's. */
  readonly endUser: string | null;
  /** What the account's runs may read. */
  readonly skills: readonly RunSkill[];
  readonly secrets: readonly SealedSecret[];
  readonly workspace: { name: string; fileCount: number } | null;
  readonly artifacts: readonly Artifact[];
  /** Its tool writes into it. */
  readonly todo: TodoState;
}

/** What people were asked in a run. */
export interface Approvals {
  /** The one that decides a call; those that were replaced decide nothing. */
  of(toolCallId: string): StoredApproval | undefined;
  /** All that a person has said yes to. */
  readonly approved: readonly StoredApproval[];
  readonly isAnyRejected: boolean;
  /** Whether its agent has definitions that it asks no more about. */
  readonly remembersAny: boolean;
  /** Whether a person said that the agent asks no more about a definition; false for null. */
  isRemembered(definitionDigest: string | null): boolean;
}

/**
 * All that a step of a run works on: its row, and by their own names the parts of it that grow,
 * each of which is changed by its own methods alone.
 */
export interface LoadedRun extends RunRecord {
  /** What its kind does where kinds differ. */
  readonly program: RunProgram;
  readonly agent: LoadedAgent | null;
  readonly transcript: Transcript;
  /** What was said to it since, in order: the next turn to begin is shown it. */
  readonly waiting: readonly WaitingMessage[];
  readonly approvals: Approvals;
  readonly context: PromptContext;
  readonly cost: RunCost;
  readonly surroundings: Surroundings;
}

/** A message that no turn has been shown. */
export type WaitingMessage = Omit<ReceivedMessage, "turn">;

/** What a person was asked about a tool call, and said. */
export interface StoredApproval {
  /** Null once a later approval of the same call has replaced it. */
  toolCallId: string | null;
  id: string;
  toolName: string;
  arguments: unknown;
  status: ApprovalStatus;
  /** Seconds until nobody may decide it any more, as it was read; of one that is pending. */
  secondsLeft: number;
  message: string | null;
  /** What the person was told. */
  summary: string;
  /** Whether the run's log shows the decision. */
  decisionShown: boolean;
  /** Of what was shown; null in rows of an older version, which recorded none. */
  digest: string | null;
}

/** What a process that drives a run keeps of it from step to step: nobody else can add to it. */
export type KnownRun = Pick<LoadedRun, "transcript" | "context">;

export interface RunLimits {
  /** Model turns. */
  maxSteps: number;
  /**
   * When the run's time is over; it starts with its first step, and stands still while the run
   * waits for a person.
   */
  deadline: Date;
  /** The lesser of the run's and the agent's; null: only the wallet limits. */
  maxCreditsMicros: bigint | null;
  /** The agent's alone. */
  agentMaxMicros: bigint | null;
  /** Where credits do not cover its next call the run waits for more; else it fails. */
  waitsForCredits: boolean;
}

/** A tool as a model is shown it. */
export type ShownTool = Pick<
  RuntimeTool,
  "name" | "description" | "inputSchema" | "shownSchema"
> & {
  kind?: RuntimeTool["kind"];
  /** The MCP server that it comes from. */
  server?: string;
  startsRun?: true;
  /** Its model finds it by another tool. */
  isLookedUp?: true;
};

/** What a turn shows its model of tools. */
export interface Toolset {
  tools: ShownTool[];
  /** Connectors that it goes without. */
  unavailable: UnavailableConnector[];
}

/**
 * A kind of run: all in which it differs from the others, so that no other place asks for a run's
 * kind. `lib/domain/run-programs.ts` lists them.
 */
export interface RunProgram {
  /** What the rest of the service goes by of the kind. */
  readonly facts: KindFacts;

  /** What speaks for a run's settings and limits; null: nothing, and the service's own hold. */
  config(run: LoadedRun): AgentConfig | null;
  /** How much a model that can think does so where no config speaks for the run. */
  reasoning(): ReasoningEffort;
  /** Whether its agent may keep notes in this run, where its config has them. */
  mayKeepNotes(run: LoadedRun): boolean;

  /** Model turns that a run may take, as far as it has come. */
  maxSteps(run: LoadedRun): number;
  /** Whether the last of several turns has no tools, and must be an answer. */
  readonly answersLast: boolean;
  /** What a run fails of that has taken its last turn and wants to go on. */
  stepLimit(run: LoadedRun, maxSteps: number): RunFailure;
  /** A run that has no turn left, which fails of `failure` unless something can be made of it. */
  endOverdue(
    run: LoadedRun,
    failure: RunFailure,
    openLog: () => Promise<RunLogWriter>,
  ): Promise<TurnOutcome>;

  /** Whether it goes on from what was said in runs of its conversation that failed, too. */
  readonly hearsFailed: boolean;
  /** What it is shown of its conversation: what was said alone, or what was done there too. */
  readonly recalls: "words" | "work";
  /** Whether what it is shown is summed up where it fills its model's window. */
  readonly sumsUp: boolean;

  tools(run: LoadedRun, signal: AbortSignal): Promise<Toolset>;
  /** Tools that agents of no config have, behind theirs. */
  ownTools(run: LoadedRun): RuntimeTool[];
  /**
   * What its model is told at the beginning, and the task of one that reads no prompts. The first
   * is frozen with the run's first turn: what may change while it works is its `situation`.
   */
  instructions(
    run: LoadedRun,
    shown: { tools: readonly ShownTool[]; maxSteps: number },
  ): Promise<{ system: string; task: RulesTask }>;
  /**
   * Whether the version of its agent is frozen too: an edit meanwhile changes nothing of the run.
   */
  readonly keepsVersion: boolean;
  /** What holds around it now, beside the time and its tools. */
  situation(
    run: LoadedRun,
    shown: { tools: readonly ShownTool[]; unavailable: UnavailableConnector[] },
  ): Promise<Omit<Situation, "now" | "zone" | "tools">>;
  /** What was asked for, in the words of whoever asked. */
  request(run: LoadedRun): string;
  toolChoice(run: LoadedRun, isLast: boolean): TurnToolChoice;
  /** What a model is told that ended this turn too early; null: nothing. */
  correction(run: LoadedRun, turn: StoredTurn): string | null;
  /**
   * The message whose place the next turn's takes, and what of its text stays; null where the next
   * turn's is one of its own.
   */
  messageBefore(run: LoadedRun): { messageId: string; carried: string } | null;

  /** Whether a call that gave the same result again and again is made all the same. */
  readonly mayRepeat: boolean;
  judge(run: LoadedRun, call: ToolCall, signal: AbortSignal): Promise<ToolCallDecision>;
  /** Carries out a call that `judge` has called its own. */
  carryOut(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult | "run-ended">;
  /** Whether the result of such a call is private, or somebody else's word. */
  showsPrivate(call: ToolCall, result: ToolResult): boolean;

  /**
   * What follows where the last turn asked for no tool: the run ends, or its model is asked again.
   * @throws RunFailure
   */
  conclude(run: LoadedRun, limits: RunLimits): "end" | "again";
  /** Whether the last turn is stored together with the end, or before it. */
  readonly storesTurnWithEnd: boolean;
  /**
   * Ends a run whose last turn asked for no tool.
   * @param settled that turn where it is stored with the end; null: it is stored
   * @throws RunHasEnded when it was ended meanwhile; RunFailure
   */
  end(
    run: LoadedRun,
    limits: RunLimits,
    writer: RunLogWriter,
    settled: SettledTurn | null,
  ): Promise<TurnOutcome>;
}

/** The program of each kind. */
export type RunPrograms = Readonly<Record<RunKind, RunProgram>>;

/** Whether a person of the account, or a program with its key, asked for the run. */
export function isAskedByOwner(run: Pick<LoadedRun, "origin">): boolean {
  return run.origin === "key" || run.origin === "session";
}
