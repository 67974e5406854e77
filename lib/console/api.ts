import { SYSTEM_CLOCK } from "@/lib/client/clock";
import { connect } from "@/lib/client/connect";
import { LatheApiError, LatheConnectionError, LatheError } from "@/lib/client/errors";
import type { AnswerOf } from "@/lib/client/verbs";
import {
  addressOf,
  CONSOLE_ADDRESS,
  type ConsolePaths,
  type ParamsOf,
  type Read,
  type ReadAnswer,
  type ReadPath,
} from "@/lib/console/reads";

/**
 * The service, asked from the browser by the person who is signed in. A session that has ended
 * leads back to the sign-in page.
 */
export const consoleApi = connect<ConsolePaths>({
  baseUrl: CONSOLE_ADDRESS,
  fetch: fetchSignedIn,
  // What to try again a person sees and decides, or React Query.
  maxRetries: 0,
  timeoutMs: 60_000,
  // Of streams alone, and ended early when the reader is back.
  maxRetryAfterSeconds: Number.POSITIVE_INFINITY,
  stallMs: 45_000,
  // A page that is left open overnight finds its run again.
  maxReconnects: Number.POSITIVE_INFINITY,
  clock: SYSTEM_CLOCK,
});

async function fetchSignedIn(request: Request): Promise<Response> {
  const response = await fetch(request, { credentials: "same-origin", cache: "no-store" });
  if (response.status === 401 && (await refusalOf(response)).code === "AUTHENTICATION_REQUIRED")
    leaveForSignIn();
  return response;
}

async function refusalOf(response: Response): Promise<LatheApiError> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return new LatheApiError(response, body, Date.now());
}

function leaveForSignIn(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

type UntypedGet = (
  path: string,
  init: { params: Read["params"]; signal?: AbortSignal },
) => Promise<unknown>;

/** Reads it now; a list from `cursor` on. @throws LatheError */
export function fetchRead<P extends ReadPath>(
  { path, params }: Read<P>,
  signal?: AbortSignal,
  cursor?: string | null,
): Promise<ReadAnswer<P>> {
  // `read` has held the parameters against the path; the compiler cannot follow that through the
  // generic.
  const get = consoleApi.get as UntypedGet;
  const query = cursor ? { ...params.query, cursor } : params.query;
  // For the same reason.
  return get(path, { params: { ...params, query }, signal }) as Promise<ReadAnswer<P>>;
}

type UploadPath = "/v1/skills" | "/v1/workspaces/{workspace_id}/files";

interface Upload {
  /** Sent as the form's field `file`, under its own name. */
  file: File;
  signal: AbortSignal;
  /** From 0 to 1, as bytes leave the browser. */
  onProgress: (share: number) => void;
}

/**
 * Posts one file as a form, by XMLHttpRequest, the only one that reports progress. @throws
 * LatheError
 */
export function uploadFile<P extends UploadPath>(
  path: P,
  params: ParamsOf<P, "post">,
  upload: Upload,
): Promise<AnswerOf<ConsolePaths, "post", P>> {
  const { file, signal, onProgress } = upload;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file);
    const fail = () => reject(new LatheError("The upload was cut off. Nothing was stored."));
    request.upload.onprogress = (event) =>
      event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = fail;
    request.onabort = fail;
    request.onload = () => {
      const body = parse(request.responseText);
      // The document's answer.
      if (request.status < 300 && body) return resolve(body as AnswerOf<ConsolePaths, "post", P>);
      reject(
        new LatheApiError(
          new Response(null, { status: request.status, headers: retryHeader(request) }),
          body,
          Date.now(),
        ),
      );
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    // With the names forgotten.
    request.open("POST", CONSOLE_ADDRESS + addressOf(path, params as Read["params"]));
    request.send(form);
  });
}

function retryHeader(request: XMLHttpRequest): Record<string, string> {
  const seconds = request.getResponseHeader("retry-after");
  return seconds === null ? {} : { "retry-after": seconds };
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}

/**
 * What to tell a person: a refusal as the service worded it, and what became of an answer that
 * never came.
 */
export function messageOf(error: Error): string;
export function messageOf(error: Error | null | undefined): string | undefined;
export function messageOf(error: Error | null | undefined): string | undefined {
  if (error instanceof LatheApiError)
    return error.serviceMessage ?? "The service could not answer. Try again in a moment.";
  if (error instanceof LatheConnectionError)
    return "The service cannot be reached. Check your connection.";
  return error?.message;
}

/** The code of a refusal; null for any other error. */
export function codeOf(error: unknown): LatheApiError["code"] | null {
  return error instanceof LatheApiError ? error.code : null;
}

/** The broken places of the request that a refusal names. */
export function detailsOf(error: unknown): LatheApiError["details"] {
  return error instanceof LatheApiError ? error.details : [];
}

/** Whether the service said no, and would say so again. */
export function isRefusal(error: unknown): error is LatheApiError {
  return error instanceof LatheApiError && error.status >= 400 && error.status < 500;
}
