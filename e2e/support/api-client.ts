import type { z } from "zod";
import { createClient, type LatheClient } from "@/lib/client/lathe-client";
import { type DocumentSchemas, parseAs, type Schemas, servedSchemas } from "./api-document";
import { freshAddress } from "./fresh-address";

/** An answer read to its end. */
export class ApiResponse {
  readonly #schemas: DocumentSchemas | null;

  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly bytes: Uint8Array,
    schemas: DocumentSchemas | null,
  ) {
    this.#schemas = schemas;
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  json(): unknown {
    return JSON.parse(this.text);
  }

  /**
   * The body, held to the schema of this name in the service's own document. @throws with the
   * status and the body when it does not fit
   */
  as<N extends keyof Schemas>(name: N): Schemas[N] {
    if (this.#schemas === null)
      throw new Error(
        `The ${this.status} answer is no JSON, or the service gives no document: ` +
          `${this.text.slice(0, 500)}`,
      );
    return parseAs(this.#schemas, name, this.json());
  }

  /** The body, held to a shape of the test's own. */
  fitting<T extends z.ZodType>(shape: T): z.infer<T> {
    const parsed = shape.safeParse(this.text === "" ? undefined : this.json());
    if (!parsed.success)
      throw new Error(
        `The ${this.status} answer does not have the expected shape: ${parsed.error.message}\n` +
          `${this.text.slice(0, 2000)}`,
      );
    return parsed.data;
  }

  header(name: string): string | null {
    return this.headers.get(name);
  }
}

/**
 * Requests from one address, well below the default limit of addresses; a client that asks more
 * often goes on from another.
 */
const REQUESTS_PER_ADDRESS = 300;

export interface RequestOptions {
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, without a content type of its own (a form brings one). */
  raw?: string | Uint8Array<ArrayBuffer> | FormData;
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * The developer API as one account sees it. `key` null: no Authorization header. Answers of any
 * status are returned, never thrown.
 */
export class ApiClient {
  #requests = 0;
  #address = freshAddress();
  /** An agent of the account's, for requests that must name one. */
  ownAgent: string | null = null;

  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
  ) {}

  /** Where the next request comes from. */
  nextAddress(): string {
    this.#requests += 1;
    if (this.#requests % REQUESTS_PER_ADDRESS === 0) this.#address = freshAddress();
    return this.#address;
  }

  get(path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.request("GET", path, options);
  }

  post(path: string, json?: unknown, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.request("POST", path, json === undefined ? options : { json, ...options });
  }

  patch(path: string, json: unknown, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.request("PATCH", path, { json, ...options });
  }

  put(path: string, json?: unknown): Promise<ApiResponse> {
    return this.request("PUT", path, json === undefined ? {} : { json });
  }

  delete(path: string): Promise<ApiResponse> {
    return this.request("DELETE", path);
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const response = await this.open(method, path, options);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = /^application\/json/.test(response.headers.get("content-type") ?? "");
    // A service that gives no document now is one whose answers nobody reads by it.
    const schemas = isJson ? await servedSchemas(this.baseUrl).catch(() => null) : null;
    return new ApiResponse(response.status, response.headers, bytes, schemas);
  }

  /** The answer with its body still to be read. Redirects are not followed: the API has none. */
  open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const url = new URL(path, this.baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(options.headers);
    if (this.key !== null && !headers.has("authorization"))
      headers.set("authorization", `Bearer ${this.key}`);
    if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", this.nextAddress());
    const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
    if (options.json !== undefined && !headers.has("content-type"))
      headers.set("content-type", "application/json");
    return fetch(url, { method, headers, body, signal: options.signal, redirect: "manual" });
  }
}

/**
 * The typed client of an account, as an integrator has it, but that it tries nothing twice: a test
 * must see what goes wrong.
 */
export function typedClient(api: ApiClient): LatheClient {
  const send = (request: Request) => {
    request.headers.set("x-forwarded-for", api.nextAddress());
    return fetch(request);
  };
  return createClient({
    apiKey: api.key ?? "none",
    baseUrl: api.baseUrl,
    fetch: send,
    maxRetries: 0,
    maxReconnects: 0,
  });
}
