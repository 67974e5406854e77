import type { Clock } from "./clock";
import { LatheApiError, LatheConnectionError, LatheError } from "./errors";

/** A client token, as `POST /v1/client-tokens` answers. */
export interface ClientToken {
  token: string;
  expires_at: string;
}

export interface BrowserOptions {
  /** Where the service is, such as `https://lathe.example.com`. */
  baseUrl: string;
  /** The agent that the tokens are for. */
  agentId: string;
  /**
   * Asks your backend for a token of whoever is signed in there. Called before the first request,
   * shortly before a token's end, and when the service takes one no longer; never twice at once.
   */
  getToken: () => Promise<ClientToken>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

interface CallOptions {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
  /** That doing it twice does no more than once. */
  isRepeatable?: boolean;
}

const TRIES = 4;
const ANSWER_WITHIN_MS = 30_000;
/** A token is replaced so long before its end. */
const MARGIN_MS = 15_000;
/** By a clock that goes wrong each token would be at its end: not asked for more often than so. */
const TOKEN_KEPT_MS = 30_000;

/** Requests of the app-scoped path by a client token, which is renewed as it must be. */
export class AppRequests {
  readonly #options: BrowserOptions;
  readonly #clock: Clock;
  #token: Promise<ClientToken> | null = null;
  /** The text of the last token that came. */
  #held: string | null = null;
  #askedAt = 0;

  constructor(options: BrowserOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The JSON of an answer. */
  async json<T>(method: "GET" | "POST", path: string, options: CallOptions = {}): Promise<T> {
    const { signal, idempotencyKey, isRepeatable = method === "GET" } = options;
    const mayRepeat = isRepeatable || idempotencyKey !== undefined;
    for (let tried = 1; ; tried += 1) {
      try {
        // The document says what it is.
        return (await (await this.#send(method, path, options)).json()) as T;
      } catch (error) {
        signal?.throwIfAborted();
        const failure = toFailure(error);
        const isRefused = failure instanceof LatheApiError && failure.status === 429;
        if (tried === TRIES || !isTransient(failure) || !(mayRepeat || isRefused)) throw failure;
        await this.#clock.sleep(pause(tried, failure, this.#clock), signal);
      }
    }
  }

  /** The bytes of a stream, by one try. */
  async stream(
    path: string,
    options: Pick<CallOptions, "query" | "signal">,
  ): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#send("GET", path, options, "application/x-ndjson");
    if (!body) throw new LatheConnectionError("The answer has no body to stream.");
    return body;
  }

  /** One try, and a second one where the token was no longer taken. */
  async #send(
    method: string,
    path: string,
    options: CallOptions,
    accept = "application/json",
  ): Promise<Response> {
    const { token } = await this.#current();
    const answer = await this.#ask(method, path, options, accept, token);
    if (answer.status !== 401) return this.#checked(answer);
    this.#forget(token);
    const next = await this.#current();
    return this.#checked(await this.#ask(method, path, options, accept, next.token));
  }

  async #ask(
    method: string,
    path: string,
    { query = {}, body, signal, idempotencyKey }: CallOptions,
    accept: string,
    token: string,
  ): Promise<Response> {
    const { baseUrl, agentId, fetch = globalThis.fetch.bind(globalThis) } = this.#options;
    const url = new URL(`/api/v1/apps/${encodeURIComponent(agentId)}${path}`, baseUrl);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    // To the answer's head: a stream's body takes as long as its run.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), ANSWER_WITHIN_MS);
    try {
      return await fetch(url.href, {
        method,
        headers: {
          accept,
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
        credentials: "omit",
        cache: "no-store",
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new LatheConnectionError(`${method} ${url.pathname}: the connection failed`, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  async #checked(answer: Response): Promise<Response> {
    if (answer.ok) return answer;
    const text = await answer.text().catch(() => "");
    let body: unknown = text;
    try {
      body = JSON.parse(text);
    } catch {
      // A proxy's own page, say: told as it is.
    }
    throw new LatheApiError(answer, body, this.#clock.now());
  }

  #current(): Promise<ClientToken> {
    this.#token = this.#token ? this.#token.then((token) => this.#stillGood(token)) : this.#renew();
    const current = this.#token;
    // A failure is for whoever waits; the next request asks anew.
    current.catch(() => {
      if (this.#token === current) this.#token = null;
    });
    return current;
  }

  /** Unless another request has forgotten it already, and asked for the next. */
  #forget(token: string): void {
    if (this.#held !== token) return;
    this.#held = null;
    this.#token = null;
  }

  #stillGood(token: ClientToken): ClientToken | Promise<ClientToken> {
    const now = this.#clock.now();
    const isNearEnd = Date.parse(token.expires_at) - MARGIN_MS <= now;
    return isNearEnd && now - this.#askedAt >= TOKEN_KEPT_MS ? this.#renew() : token;
  }

  async #renew(): Promise<ClientToken> {
    this.#askedAt = this.#clock.now();
    const token = await this.#options.getToken();
    if (typeof token?.token !== "string")
      throw new LatheError("getToken gave no client token: it must give {token, expires_at}.");
    this.#held = token.token;
    return token;
  }
}

function toFailure(error: unknown): unknown {
  // What broke while its JSON was read.
  return error instanceof TypeError || error instanceof SyntaxError
    ? new LatheConnectionError("The answer broke off.", { cause: error })
    : error;
}

/** Whether asking again may help. */
export function isTransient(error: unknown): error is LatheConnectionError | LatheApiError {
  if (error instanceof LatheApiError) return error.status === 429 || error.status >= 500;
  return error instanceof LatheConnectionError;
}

const FIRST_MS = 500;
const MAX_MS = 8_000;

/** Milliseconds before the next try: as the service asked, else longer each time, by chance. */
export function pause(tried: number, failure: unknown, clock: Clock): number {
  const asked = failure instanceof LatheApiError ? failure.retryAfter : null;
  if (asked !== null) return asked * 1000 + clock.random() * FIRST_MS;
  return Math.min(MAX_MS, FIRST_MS * 2 ** (tried - 1)) * (0.5 + clock.random() / 2);
}
