import "server-only";
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ShownCall } from "@/lib/model/approval/approval";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import type { RunEventBody, TodoStatus } from "@/lib/model/run/run-event";
import type { SlicedWork } from "@/lib/platform/in-slices";
import { boundOutput } from "@/lib/runtime/tools/bound-output";
import type { ArtifactPort, FilesPort } from "@/lib/runtime/tools/tool-ports";

/** A tool cannot do what it was asked; the message goes to the model and so holds no internals. */
export class ToolFailure extends Error {
  override readonly name: string = "ToolFailure";

  /** @param isUnanswered it may have been done all the same: no answer came to what was sent */
  constructor(
    message: string,
    readonly isUnanswered = false,
  ) {
    super(message);
  }
}

/** A file has more bytes than are read at once. */
export class FileTooLarge extends ToolFailure {
  override readonly name = "FileTooLarge";

  constructor(
    readonly path: string,
    readonly sizeBytes: number,
    maxBytes: number,
  ) {
    super(`${path} has ${sizeBytes} bytes; at most ${maxBytes} can be read at once.`);
  }
}

/**
 * A tool call that waits for another run. Thrown, so that the engine waits in its place: the step
 * that made the call holds nothing meanwhile.
 */
export class RunPending extends Error {
  override readonly name = "RunPending";

  /** @param isHeld that run itself waits for credits, which may take long */
  constructor(
    readonly runId: string,
    readonly isHeld = false,
  ) {
    super("The call waits for another run.");
  }
}

/**
 * A call of a client tool that has no result yet. Thrown, so that the engine waits for it in its
 * place.
 */
export class AnswerPending extends Error {
  override readonly name = "AnswerPending";
  constructor() {
    super("The call waits for whoever started the run.");
  }
}

/**
 * A question to a person that has no answer yet. Thrown, so that the engine waits for it in its
 * place.
 */
export class QuestionPending extends Error {
  override readonly name = "QuestionPending";
  constructor() {
    super("The call waits for a person's answer.");
  }
}

/** What one call of a tool may reach. */
export interface ToolContext {
  runId: string;
  accountId: string;
  toolCallId: string;
  /** The call has thrown `RunPending` before, and the engine has waited for as long as it may. */
  isResumed?: boolean;
  signal: AbortSignal;
  /** Waits for something that accounts share; the run's time limit stands still meanwhile. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  files: FilesPort;
  artifacts: ArtifactPort;
  /** Longest time that one call of code may compute; absent: as the tool has it. */
  codeSeconds?: number;
  /** Whether the run's model is shown pictures. */
  seesImages?: boolean;
  /** Whether it is given PDF files as they are. */
  takesPdf?: boolean;
  /** Takes the account's secrets out of a text; absent: it has none. */
  redact?(text: string): SlicedWork<string>;
  /**
   * The same for what code names itself, where a short secret is a word like any other: only those
   * that are long enough for a model's words.
   */
  redactSpoken?(text: string): SlicedWork<string>;
  emit(event: RunEventBody): void;
  todo: TodoState;
  /**
   * What is left for the output in the model's window, in tokens at most; absent: no window to
   * speak of.
   */
  outputMaxTokens?: number;
}

/** `output` is what the model sees. */
export interface ToolOutcome {
  succeeded: boolean;
  output: JsonValue;
  /** Nobody knows whether what failed took effect. */
  status?: "unknown";
}

/** Where one call goes, and with what. A secret is named, never shown. */
export type CallPreview = Omit<ShownCall, "definition" | "changes">;

/**
 * A tool as the runtime knows it. `read` changes nothing, `internal` changes only what the service
 * keeps for the run's account, `guarded` writes outside the service and is dispatched by the
 * agent's write autonomy, `client` is carried out by whoever started the run.
 */
export interface RuntimeTool {
  name: string;
  description: string;
  /**
   * JSON Schema of an object; `executeTool` checks arguments against it before `execute` sees them.
   */
  inputSchema: JsonObject;
  /** What a model is shown in its place, which may say less; absent: all of it. */
  shownSchema?: JsonObject;
  kind: "read" | "internal" | "guarded" | "client";
  /**
   * What it gives is nobody's secret: the web's, or made of what the model said itself. Any other
   * tool's result counts as private.
   */
  isOpen?: true;
  /**
   * Gives a page at a time, behind which its caller reads on: what of it has no room is cut, and
   * not stored as a file of the run.
   */
  isPaged?: true;
  /**
   * A call begins a run and waits for it: those of one turn begin together, whatever else they do.
   */
  startsRun?: true;
  /** The MCP server that it comes from; permissions may name it too. */
  server?: string;
  /** It does not go with each call of a model, which looks it up and calls it by another tool. */
  isLookedUp?: true;
  /** Its call waits for a person, whose answer is a message to the run. */
  asks?: true;
  /** What its server listed has had its time: a model may be shown it, but it is not called. */
  isStale?: true;
  /**
   * Where a call goes, for the person who is to approve it: `POST https://api.example.com/tickets`.
   */
  target?: string;
  /**
   * What a person who approves a call approves beside the arguments: tools that could do different
   * things differ in it. None: a tool of our own.
   */
  definition?: JsonObject;
  /**
   * The paths of files whose bytes a call would send away: a person who approves it approves these
   * very bytes.
   */
  sentFiles?(args: unknown): string[];
  /** What a person is shown of one call. */
  preview?(args: unknown): CallPreview;
  /**
   * Why a person must be asked before this very call, whatever the agent's settings; null when they
   * decide alone.
   */
  reasonToAsk?(args: unknown): Promise<string | null>;
  /**
   * Throws `ToolFailure` when it cannot, `RunPending`, `AnswerPending` or `QuestionPending` to be
   * called again when another run has ended or an answer is there, and the signal's reason when it
   * is aborted.
   */
  execute(args: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** A tool in the words of a model call. */
export function toFunctionTool(
  tool: Pick<RuntimeTool, "name" | "description" | "inputSchema" | "shownSchema">,
): LanguageModelV4FunctionTool {
  // A JSON object of our own making or checked by `checkSchema`: the vendor's type is only narrower
  // about its keys.
  const shown = tool.shownSchema ?? tool.inputSchema;
  const inputSchema = shown as LanguageModelV4FunctionTool["inputSchema"];
  return { type: "function", name: tool.name, description: tool.description, inputSchema };
}

const VIOLATIONS_SHOWN = 5;

/** What the model is told about arguments that do not fit the tool's schema; null when they fit. */
export function checkArguments(
  tool: Pick<RuntimeTool, "inputSchema">,
  args: unknown,
): ToolOutcome | null {
  // What a model wrote is kept as text where it is no JSON.
  if (typeof args === "string")
    return {
      succeeded: false,
      output: {
        error:
          "The arguments were no valid JSON, so nothing was done. If they were cut off at " +
          "the limit of one message, write less in one call.",
      },
    };
  const violations = validateAgainst(tool.inputSchema, args);
  if (violations.length === 0) return null;
  const shown = violations
    .slice(0, VIOLATIONS_SHOWN)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return { succeeded: false, output: { error: `The arguments do not fit: ${shown.join("; ")}` } };
}

/**
 * Runs one tool call: checks the arguments, turns what goes wrong into an outcome that the model
 * can act on, and bounds the output. Throws only the signal's reason after an abort, a
 * `RunFailure`, `RunPending`, `AnswerPending`, or what storage threw (so that the step runs again).
 */
export async function executeTool(
  tool: RuntimeTool,
  args: unknown,
  context: ToolContext,
): Promise<ToolOutcome> {
  context.signal.throwIfAborted();
  const misfit = checkArguments(tool, args);
  if (misfit) return misfit;
  try {
    const outcome = await tool.execute(args, context);
    return { ...outcome, output: await boundOutput(tool, outcome.output, context) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure)
      return {
        succeeded: false,
        output: { error: error.message },
        ...(error.isUnanswered && { status: "unknown" }),
      };
    throw error;
  }
}

interface TodoItem {
  id: string;
  text: string;
  done: boolean;
  /** Absent in lists that an older version wrote. */
  status?: TodoStatus;
}

/**
 * A run's todo list. The runner keeps one for a run and restores it from the last todo card after a
 * restart.
 */
export interface TodoState {
  /** Null until the list is first written. */
  cardId: string | null;
  items: TodoItem[];
}
