import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "./setup-error.mjs";

/**
 * @typedef {object} ApiClient
 * @property {<T>(method: string, path: string, body?: unknown, type?: string) => Promise<T>} call
 * the parsed answer, of the shape that the API's document promises
 * @property {(path: string, body: unknown) => AsyncGenerator<string>} stream the lines of NDJSON
 */

/**
 * Calls the service at `base` with an account key.
 * @param {string} base
 * @param {string} key
 * @returns {ApiClient}
 */
export function apiClient(base, key) {
  /** @param {string} type */
  const headers = (type) => ({
    authorization: `Bearer ${key}`,
    ...(type && { "content-type": type }),
  });

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {string} [type]
   */
  async function send(method, path, body, type = "application/json") {
    // A file's bytes go as they are, JSON files too.
    const raw =
      typeof body === "string"
        ? body
        : body instanceof Uint8Array
          ? new Uint8Array(body)
          : body === undefined
            ? null
            : JSON.stringify(body);
    for (let tries = 0; ; tries++) {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: headers(body === undefined ? "" : type),
        body: raw,
      });
      if (response.status !== 429 || tries === 5) return response;
      await response.body?.cancel();
      await delay(1_000 * Number(response.headers.get("retry-after") ?? 1));
    }
  }

  /**
   * @param {Response} response
   * @param {string} what
   */
  async function requireOk(response, what) {
    if (response.ok) return response;
    const { error, message } = await response.json().catch(() => ({}));
    throw new SetupError(
      `${what} was answered with ${response.status} ${error ?? ""}: ${message ?? ""}`,
    );
  }

  return {
    async call(method, path, body, type) {
      const response = await requireOk(await send(method, path, body, type), `${method} ${path}`);
      return response.status === 204 ? null : response.json();
    },
    async *stream(path, body) {
      const response = await requireOk(await send("POST", path, body), `POST ${path}`);
      let rest = "";
      const decoder = new TextDecoder();
      if (!response.body) return;
      for await (const chunk of toIterable(response.body)) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        yield* lines.filter(Boolean);
      }
      if (rest) yield rest;
    },
  };
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncIterable<Uint8Array>}
 */
function toIterable(stream) {
  // Node's can be iterated, a browser's cannot everywhere.
  return /** @type {AsyncIterable<Uint8Array>} */ (/** @type {unknown} */ (stream));
}
