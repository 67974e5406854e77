import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import { consoleSurface } from "@/lib/api/console/console-surface";
import { requireSession } from "@/lib/api/console/session";
import { noteCaller } from "@/lib/api/http/bearer-key";
import { baseUrl, requireAccess } from "@/lib/api/http/dispatch";
import type { Call, Operation } from "@/lib/api/http/operation";
import { parseWith, readQuery } from "@/lib/api/http/parse-with";
import { noSuchRoute } from "@/lib/api/http/router";
import type { Principal } from "@/lib/domain/principal";
import { newId } from "@/lib/platform/ids";

/**
 * Reads a path below `/api/console` for the first paint of a page: calls its GET operation as a
 * function, for the person who is signed in. It is no request from outside, and counts against no
 * limit: the page itself did. The result is what the browser's own query would read. Each path is
 * read once a page.
 * @throws ServiceError as the operation does
 */
export const prefetchConsole = cache(async (path: string): Promise<unknown> => {
  const { principal } = await requireSession();
  const sent = await headers();
  noteCaller({ authorization: null, cookie: sent.get("cookie") }, principal.accountId);
  const target = new URL(`/api/console${path}`, IN_PROCESS.url);
  const match = consoleSurface.router.find(consoleSurface.toPath(target.pathname));
  const operation = match?.operations.get("GET");
  if (!match || !operation) throw noSuchRoute();
  requireAccess(operation, principal);
  const reply = await operation.handle(
    callOf(operation, match.params, target, principal, await requestBaseUrl()),
  );
  if (reply instanceof Response || "lines" in reply)
    throw new Error(`${operation.operationId} answers with bytes: no page can begin with them`);
  return typeof reply.body === "string" ? JSON.parse(reply.body) : reply.body;
});

/**
 * The address that the operator says, else the one that this page was called under, without a slash
 * at the end.
 */
export async function requestBaseUrl(): Promise<string> {
  return baseUrl((await headers()).get("host") ?? "");
}

/** What an operation that is called without a request sees of one. */
const IN_PROCESS = new Request("http://in-process.invalid/");

function callOf(
  operation: Operation,
  params: Record<string, string>,
  target: URL,
  principal: Principal,
  base: string,
): Call<never, never, never> {
  const call: Call<unknown, unknown, undefined> = {
    principal,
    params: operation.params && parseWith(operation.params, params),
    query: operation.query && parseWith(operation.query, readQuery(target.searchParams)),
    body: undefined,
    request: IN_PROCESS,
    requestId: newId(),
    baseUrl: base,
    idempotencyKey: null,
  };
  return call as Call<never, never, never>; // parsed by the operation's own schemas
}
