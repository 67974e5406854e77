import { ApiResponse } from "./api-response";
import { freshAddress } from "./fresh-address";

/** Requests from one address, well below the default limit of addresses; a client that asks more often goes on from another. */
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

/** The developer API as one account sees it. `key` null: no Authorization header. Answers of any status are returned, never thrown. */
export class ApiClient {
  private requests = 0;
  private address = freshAddress();

  constructor(
    readonly baseUrl: string,
    readonly key: string | null,
  ) {}

  /** Where the next request comes from. */
  nextAddress(): string {
    this.requests += 1;
    if (this.requests % REQUESTS_PER_ADDRESS === 0) this.address = freshAddress();
    return this.address;
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
    return new ApiResponse(response.status, response.headers, new Uint8Array(await response.arrayBuffer()));
  }

  /** The answer with its body still to be read. Redirects are not followed: the API has none. */
  open(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const url = new URL(path, this.baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(options.headers);
    if (this.key !== null && !headers.has("authorization")) headers.set("authorization", `Bearer ${this.key}`);
    if (!headers.has("x-forwarded-for")) headers.set("x-forwarded-for", this.nextAddress());
    const body = options.json === undefined ? options.raw : JSON.stringify(options.json);
    if (options.json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
    return fetch(url, { method, headers, body, signal: options.signal, redirect: "manual" });
  }
}
