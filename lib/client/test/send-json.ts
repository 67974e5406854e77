import type { ServerResponse } from "node:http";

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req_1", ...headers }).end(JSON.stringify(body));
}
