import "server-only";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "@/lib/platform/once";

/** The header by which this process proves to its own handler that a call is its own. */
const HEADER = "x-lathe-engine";
const secret = (): string => once("engine.call-secret", () => randomBytes(32).toString("base64url"));

/** What every call of the embedded executor carries. */
export function ownCallHeaders(): Record<string, string> {
  return { [HEADER]: secret() };
}

/**
 * `handler` for calls of this process alone. The embedded executor's client believes every call, and nothing leads to its handler from outside; should
 * something ever, the call is answered 404 for want of a secret that is made anew in each process.
 */
export function onlyOwnCalls(handler: (request: Request) => Promise<Response>): typeof handler {
  return async (request) => {
    const given = Buffer.from(request.headers.get(HEADER) ?? "");
    const wanted = Buffer.from(secret());
    const isOwn = given.length === wanted.length && timingSafeEqual(given, wanted);
    return isOwn ? handler(request) : new Response(null, { status: 404 });
  };
}
