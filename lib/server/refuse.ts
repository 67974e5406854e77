import "server-only";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { REQUEST_ID_HEADER, toRequestId } from "@/lib/api/http/request";
import { ERROR_STATUS, invalidInput, type ServiceError } from "@/lib/model/errors";

/**
 * Answers a request that goes no further: the contract's JSON, or (for pages) the same sentence as
 * a small page. Does nothing once an answer has begun.
 */
export function refuse(response: ServerResponse, error: ServiceError, asJson: boolean): void {
  if (response.headersSent || response.destroyed) return;
  const text = asJson
    ? JSON.stringify({ error: error.code, message: error.message, ...error.extras })
    : pageOf(error);
  response.writeHead(ERROR_STATUS[error.code], {
    "content-type": `${asJson ? "application/json" : "text/html"}; charset=utf-8`,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    // The listener has set it already where the request came through it.
    [REQUEST_ID_HEADER]: toRequestId(response.getHeader(REQUEST_ID_HEADER)?.toString()),
    ...error.headers,
  });
  response.end(text);
}

/**
 * Refuses what Node could not read as a request (a server's `clientError`), or took too long over,
 * in the words of the contract.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? 431
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? 408
        : 400;
  socket.end(rawRefusal(status, invalidInput("", "The request is not valid HTTP.")));
}

/** A refusal as it is sent where there is no request to answer: the connection ends with it. */
export function rawRefusal(
  status: number,
  { code, message, extras, headers }: ServiceError,
): string {
  const body = JSON.stringify({ error: code, message, ...extras });
  const fields = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "X-Request-Id": toRequestId(null),
    Connection: "close",
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, "", body].join("\r\n");
}

/** The messages of refusals are ours alone, and hold no markup. */
function pageOf(error: ServiceError): string {
  const title = ERROR_STATUS[error.code] === 429 ? "Too many requests" : "This request was refused";
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width"><title>${title} · ` +
    `Lathe</title><h1>${title}</h1><p>${error.message}</p></html>\n`
  );
}
