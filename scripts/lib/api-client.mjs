import { setTimeout as delay } from "node:timers/promises";
import { SetupError } from "./setup-error.mjs";

/** Calls the service at `base` with an account key: `call(method, path, body)` returns the parsed answer, `stream(path, body)` yields NDJSON lines. */
export function apiClient(base, key) {
  const headers = (type) => ({ authorization: `Bearer ${key}`, ...(type && { "content-type": type }) });

  async function send(method, path, body, type = "application/json") {
    // A file's bytes go as they are, JSON files too.
    const raw = body === undefined || typeof body === "string" || ArrayBuffer.isView(body);
    for (let tries = 0; ; tries++) {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: headers(body === undefined ? "" : type),
        body: raw ? body : JSON.stringify(body),
      });
      if (response.status !== 429 || tries === 5) return response;
      await response.body?.cancel();
      await delay(1_000 * Number(response.headers.get("retry-after") ?? 1));
    }
  }

  async function requireOk(response, what) {
    if (response.ok) return response;
    const { error, message } = await response.json().catch(() => ({}));
    throw new SetupError(`${what} was answered with ${response.status} ${error ?? ""}: ${message ?? ""}`);
  }

  return {
    async call(method, path, body, type) {
      const response = await requireOk(await send(method, path, body, type), `${method} ${path}`);
      return response.status === 204 ? null : response.json();
    },
    async *stream(path, body) {
      const response = await requireOk(await send("POST", path, body), `POST ${path}`);
      let rest = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        yield* lines.filter(Boolean);
      }
      if (rest) yield rest;
    },
  };
}
