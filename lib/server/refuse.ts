import "server-only";
import type { ServerResponse } from "node:http";
import { REQUEST_ID_HEADER, toRequestId } from "@/lib/api/http/request-id";
import { ERROR_STATUS, type ServiceError } from "@/lib/model/errors";

/** Answers a request that goes no further: the contract's JSON, or (for pages) the same sentence as a small page. Does nothing once an answer has begun. */
export function refuse(response: ServerResponse, error: ServiceError, asJson: boolean): void {
  if (response.headersSent || response.destroyed) return;
  const text = asJson ? JSON.stringify({ error: error.code, message: error.message, ...error.extras }) : pageOf(error);
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

/** The messages of refusals are ours alone, and hold no markup. */
function pageOf(error: ServiceError): string {
  const title = ERROR_STATUS[error.code] === 429 ? "Too many requests" : "This request was refused";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Lathe</title><h1>${title}</h1><p>${error.message}</p></html>\n`;
}
