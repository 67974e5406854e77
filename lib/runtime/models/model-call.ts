import "server-only";
import { APICallError } from "@ai-sdk/provider";
import { RunFailure, type RunFailureCode } from "@/lib/model/run/run-failure";
import { REDACTED, type Redactor } from "@/lib/platform/crypto/redact";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import { redactOperator } from "@/lib/platform/redact-operator";
import { retryAfterMs } from "@/lib/platform/retry-after";
import { PROVIDERS, providerOf } from "@/lib/runtime/models/providers/providers";
import { StreamCut } from "@/lib/runtime/models/stream-cut";

type ModelFailureCode = Extract<
  RunFailureCode,
  | "MODEL_UNAVAILABLE"
  | "MODEL_RATE_LIMITED"
  | "MODEL_RETIRED"
  | "MODEL_CANNOT_ANSWER"
  | "AGENT_BUILD_FAILED"
  | "EXECUTION_FAILED"
>;

/** What went wrong with one call of a model, and whether the same call may go better. */
export interface ModelCallProblem {
  code: ModelFailureCode;
  retryable: boolean;
  /** The provider found fault with the request itself (status 400 or 422). */
  isRefusal?: true;
  /**
   * The provider said that it has no such model: the words of one that has ended, and of one that
   * this key may not use.
   */
  isAbsent?: true;
  /**
   * The prompt is longer than the model's window, which has so many tokens where the provider says;
   * null where it does not. Absent: that is not so.
   */
  overflow?: { windowTokens: number | null };
  /** What the provider asked for, in milliseconds; null when it did not. */
  retryAfterMilliseconds: number | null;
  /** Safe to show: the operator's keys and addresses are not in it. At most 500 characters. */
  message: string;
  /**
   * For the log: the kind of the error on our side, with its network code. Null where it is not
   * known.
   */
  cause: string | null;
}

const MESSAGE_MAX_CHARACTERS = 500;

/**
 * Sorts an error of a provider (contract §2, "Failure codes"). The message ends with the provider's
 * own words, where it said any.
 * @param redact takes the account's secrets out of them: a provider may quote what it was sent
 */
export function toModelCallProblem(
  error: unknown,
  model: string,
  redact: (text: string) => string = (text) => text,
): ModelCallProblem {
  if (error instanceof RunFailure)
    return {
      code: ownCode(error),
      retryable: false,
      retryAfterMilliseconds: null,
      message: error.message,
      cause: null,
    };
  const { sentence, ...problem } = sort(error, model);
  const words = providerWords(error);
  // Redacted before it is cut: half a secret is not found any more.
  const message = cut(
    words === null ? sentence : `${sentence} The provider says: ${redact(words)}`,
  );
  const overflow =
    problem.code === "EXECUTION_FAILED" && words !== null ? readOverflow(words) : null;
  return { ...problem, message, cause: causeOf(error), ...(overflow && { overflow }) };
}

/**
 * Whether a provider says that a prompt is too long, in the words of any that there is: behind the
 * address of one may stand another.
 */
function readOverflow(words: string): ModelCallProblem["overflow"] | null {
  if (!PROVIDERS.some(({ overflow }) => overflow?.test(words))) return null;
  const named =
    /(?:context[ _](?:length|window|size)|maximum(?: of)?|limit)\D{0,40}(\d{3,8})/i.exec(
      words,
    )?.[1];
  return { windowTokens: named === undefined ? null : Number(named) };
}

/** A model of our own says itself that it cannot do what it is to do. */
function ownCode({ code }: RunFailure): ModelFailureCode {
  return code === "MODEL_CANNOT_ANSWER" || code === "AGENT_BUILD_FAILED"
    ? code
    : "EXECUTION_FAILED";
}

function sort(
  error: unknown,
  model: string,
): Omit<ModelCallProblem, "message" | "cause"> & { sentence: string } {
  const status = statusOf(error);
  const retryAfterMilliseconds = retryAfter(error);
  if (status === 429)
    return {
      code: "MODEL_RATE_LIMITED",
      retryable: true,
      retryAfterMilliseconds,
      sentence: `The model ${model} is limited by its provider at the moment.`,
    };
  if (status !== null && status >= 500)
    return {
      code: "MODEL_UNAVAILABLE",
      retryable: true,
      retryAfterMilliseconds,
      sentence: `The model ${model} is not available at the moment.`,
    };
  if (status !== null && status !== 200 && status !== 408) {
    const isNotFound = status === 404 || status === 410;
    const refused = `The provider of ${model} refused the request (status ${status}).`;
    const hint = isNotFound ? providerOf(model)?.hintWhenAbsent : undefined;
    const sentence = hint === undefined ? refused : `${refused} ${hint}`;
    const refusal = status === 400 || status === 422 ? { isRefusal: true as const } : {};
    const absent = isNotFound || namesNoModel(error) ? { isAbsent: true as const } : {};
    return {
      code: "EXECUTION_FAILED",
      retryable: false,
      ...refusal,
      ...absent,
      retryAfterMilliseconds: null,
      sentence,
    };
  }
  if (isConnectionTrouble(error) || status === 408)
    return {
      code: "MODEL_UNAVAILABLE",
      retryable: true,
      retryAfterMilliseconds,
      sentence: `The model ${model} could not be reached.`,
    };
  const sentence = `The model ${model} answered in a way that could not be read.`;
  return { code: "EXECUTION_FAILED", retryable: true, retryAfterMilliseconds: null, sentence };
}

/** OpenAI answers 400 or 404 with a code of its own; others say it in the status. */
function namesNoModel(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const body = error.responseBody ?? "";
  return body.length <= READ_MAX_CHARACTERS && body.includes("model_not_found");
}

/**
 * A problem of a model that its vendor has ended, with what takes its place. @param successor
 * `provider/name`; null: none is known
 */
export function toRetiredProblem(
  problem: ModelCallProblem,
  model: string,
  successor: string | null,
): ModelCallProblem {
  const instead = successor === null ? "Name another model." : `Name ${successor} in its place.`;
  const { isRefusal: _refusal, isAbsent: _absent, ...rest } = problem;
  const message = cut(
    `The model ${model} has been retired: its vendor no longer serves it. ${instead}`,
  );
  return {
    ...rest,
    code: "MODEL_RETIRED",
    retryable: false,
    retryAfterMilliseconds: null,
    message,
  };
}

/** The messages of our own errors may hold what was sent or received, so they are not told. */
function causeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = [error, error.cause]
    .map((each) => readObject(each)?.code)
    .find((each) => typeof each === "string");
  return code === undefined ? error.name : `${error.name} ${code}`;
}

/** Cut between characters, never within one of two code units. */
function cut(text: string): string {
  if (text.length <= MESSAGE_MAX_CHARACTERS) return text;
  return `${text.slice(0, MESSAGE_MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The HTTP status of the call, or the one that an error inside a stream names. */
function statusOf(error: unknown): number | null {
  if (APICallError.isInstance(error)) return error.statusCode ?? null;
  const body = readObject(readObject(error)?.error) ?? readObject(error);
  if (body === null || error instanceof Error) return null;
  for (const value of [body.status, body.code, body.statusCode]) {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 400 && status < 600) return status;
  }
  const kind = `${String(body.type ?? "")} ${String(body.code ?? "")}`;
  if (/rate_?limit|too_many/i.test(kind)) return 429;
  if (/overloaded|server_error|unavailable|api_error|timeout/i.test(kind)) return 503;
  return null;
}

function readObject(value: unknown): Record<string, unknown> | null {
  // Any object may be looked into by key; what is found is unknown.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}

const CONNECTION_CODES = /^(?:E[A-Z_]+|UND_ERR_[A-Z_]+)$/;

function isConnectionTrouble(error: unknown): boolean {
  if (error instanceof StreamCut) return true;
  if (APICallError.isInstance(error)) return error.statusCode === undefined;
  if (error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message))
    return true;
  const code = readObject(error)?.code;
  return typeof code === "string" && error instanceof Error && CONNECTION_CODES.test(code);
}

function retryAfter(error: unknown): number | null {
  if (!APICallError.isInstance(error)) return null;
  const headers = error.responseHeaders ?? {};
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && milliseconds >= 0) return milliseconds;
  return retryAfterMs(headers["retry-after"], new Date());
}

const READ_MAX_CHARACTERS = 16_384;
/**
 * What a provider itself says of a call that failed, on one line: its error's message, or its
 * answer where that is plain text. Without the operator's keys and the addresses of his servers.
 * Null where it said nothing that people could read (a connection that broke, a page of markup).
 */
export function providerWords(error: unknown, operator?: Redactor): string | null {
  const said = saidBy(error)?.slice(0, READ_MAX_CHARACTERS);
  if (!said) return null;
  const plain = redactOperator(said, operator);
  const line = plain.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
  return line === "" || line === REDACTED ? null : line;
}

function saidBy(error: unknown): string | null {
  if (APICallError.isInstance(error)) {
    // Without a status nobody answered, and the words are our own client's.
    if (error.statusCode === undefined) return null;
    return (
      inBody(error.responseBody ?? "") ??
      (/^status \d+$/.test(error.message) ? null : error.message)
    );
  }
  return error instanceof Error ? null : messageOf(error);
}

function inBody(body: string): string | null {
  const text = body.trim();
  if (text === "" || text.startsWith("<")) return null;
  try {
    return messageOf(JSON.parse(text));
  } catch {
    return text;
  }
}

/**
 * The message inside an error's JSON: `{error: {message}}` of most, `{error: "…"}`, `{message}`,
 * `{detail}`, `{detail: [{msg}]}`, or one of these in a list.
 */
function messageOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return messageOf(value[0]);
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Record<string, unknown>; // any object may be looked into by key
  for (const name of ["error", "message", "detail", "msg"]) {
    const found = fields[name] === undefined ? null : messageOf(fields[name]);
    if (found) return found;
  }
  return null;
}

interface CountedTokens {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
}

/** What one call of a model tells of itself as it goes. */
export interface CallNotes {
  /** The first text or thought has come; said once. */
  firstToken(): void;
  /** How it ended: whole, broken off by us, or failed. */
  end(
    outcome:
      | { usage: CountedTokens; finishReason: string }
      | { usage: CountedTokens; aborted: true }
      | ModelCallProblem,
  ): void;
}

interface CalledModel {
  /** `provider/name`. */
  id: string;
  runId: string | null;
}

/**
 * Makes one call of a model visible: in the metrics, and in the log where it failed. Its span is
 * sent with its run's others.
 */
export function observeCall<T>(
  model: CalledModel,
  call: (notes: CallNotes) => Promise<T>,
): Promise<T> {
  const { id } = model;
  const startedAt = performance.now();
  return call({
    firstToken() {
      metrics()?.firstTokens.observe({ model: id }, secondsSince(startedAt));
    },
    end(outcome) {
      const label = "code" in outcome ? outcome.code : "aborted" in outcome ? "aborted" : "ok";
      metrics()?.modelCalls.observe({ model: id, outcome: label }, secondsSince(startedAt));
      if ("code" in outcome) tellFailure(outcome, model);
      else countTokens(outcome.usage, id);
    },
  });
}

function tellFailure(
  { code, message, cause, retryable }: ModelCallProblem,
  { id, runId }: CalledModel,
): void {
  log.warn(
    {
      model: id,
      ...(runId !== null && { run_id: runId }),
      code,
      cause,
      retryable,
      reason: message,
    },
    "a model call failed",
  );
}

function countTokens(
  { inputTokens, outputTokens, cachedInputTokens }: CountedTokens,
  model: string,
): void {
  const made = metrics();
  if (made === null) return;
  made.tokens.inc({ model, direction: "input" }, inputTokens);
  made.tokens.inc({ model, direction: "cached_input" }, cachedInputTokens);
  made.tokens.inc({ model, direction: "output" }, outputTokens);
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
