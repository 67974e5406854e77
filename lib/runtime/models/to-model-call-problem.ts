import "server-only";
import { APICallError } from "@ai-sdk/provider";
import { RunFailure, type RunFailureCode } from "@/lib/model/run/run-failure";

type ModelFailureCode = Extract<RunFailureCode, "MODEL_UNAVAILABLE" | "MODEL_RATE_LIMITED" | "EXECUTION_FAILED">;

/** What went wrong with one call of a model, and whether the same call may go better. */
export interface ModelCallProblem {
  code: ModelFailureCode;
  retryable: boolean;
  /** What the provider asked for, in milliseconds; null when it did not. */
  retryAfterMilliseconds: number | null;
  /** Safe to show: no addresses, keys or bodies. */
  message: string;
}

/** The answer ended before it was complete: the connection broke, or the stream closed without its end. */
export class StreamCut extends Error {
  override readonly name = "StreamCut";
}

/** Sorts an error of a provider (contract §2, "Failure codes"). */
export function toModelCallProblem(error: unknown, model: string): ModelCallProblem {
  if (error instanceof RunFailure)
    return { code: "EXECUTION_FAILED", retryable: false, retryAfterMilliseconds: null, message: error.message };
  const status = statusOf(error);
  const retryAfterMilliseconds = retryAfter(error);
  if (status === 429) {
    return {
      code: "MODEL_RATE_LIMITED",
      retryable: true,
      retryAfterMilliseconds,
      message: `The model ${model} is limited by its provider at the moment.`,
    };
  }
  if (status !== null && status >= 500) {
    return {
      code: "MODEL_UNAVAILABLE",
      retryable: true,
      retryAfterMilliseconds,
      message: `The model ${model} is not available at the moment.`,
    };
  }
  if (status !== null && status !== 200 && status !== 408) {
    const message = `The provider of ${model} refused the request (status ${status}).`;
    return { code: "EXECUTION_FAILED", retryable: false, retryAfterMilliseconds: null, message };
  }
  if (isConnectionTrouble(error) || status === 408) {
    return { code: "MODEL_UNAVAILABLE", retryable: true, retryAfterMilliseconds, message: `The model ${model} could not be reached.` };
  }
  return {
    code: "EXECUTION_FAILED",
    retryable: true,
    retryAfterMilliseconds: null,
    message: `The model ${model} answered in a way that could not be read.`,
  };
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
  if (error instanceof TypeError && /fetch failed|terminated|network/i.test(error.message)) return true;
  const code = readObject(error)?.code;
  return typeof code === "string" && error instanceof Error && CONNECTION_CODES.test(code);
}

function retryAfter(error: unknown): number | null {
  if (!APICallError.isInstance(error)) return null;
  const headers = error.responseHeaders ?? {};
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && milliseconds >= 0) return milliseconds;
  const text = headers["retry-after"];
  if (text === undefined) return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
