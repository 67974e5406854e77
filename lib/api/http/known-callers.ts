import "server-only";
import { createHash } from "node:crypto";
import { processSingleton } from "@/lib/platform/process-singleton";

const CALLERS_MAX = 20_000;

/** The two headers that credentials come in. */
export interface Credentials {
  authorization: string | null | undefined;
  cookie: string | null | undefined;
}

/**
 * Remembers whose credentials these are, once they were accepted: the listener lets requests into work by account, and looks nothing up for that. It is
 * never asked whether somebody may do something. Digests alone are kept, the last 20,000 that were new.
 */
export function noteCaller(credentials: Credentials, accountId: string): void {
  const digest = digestOf(credentials);
  if (digest === null || callers().get(digest) === accountId) return;
  if (callers().size >= CALLERS_MAX) forgetOldest(callers());
  callers().set(digest, accountId);
}

/** The account that these credentials were once accepted for; null for others, which anybody can make up as many of as he likes. */
export function findCaller(credentials: Credentials): string | null {
  const digest = digestOf(credentials);
  return digest === null ? null : (callers().get(digest) ?? null);
}

function callers(): Map<string, string> {
  return processSingleton("known-callers", () => new Map<string, string>());
}

function digestOf({ authorization, cookie }: Credentials): string | null {
  const credential = authorization || sessionOf(cookie ?? "");
  if (credential === "") return null;
  if (credential !== latest.credential) latest = { credential, digest: createHash("sha256").update(credential).digest("base64") };
  return latest.digest;
}

/** One request asks several times, and a busy client's requests follow each other. */
let latest = { credential: "", digest: "" };

/** The session's cookie, which next-auth cuts into several when it is long. */
function sessionOf(cookie: string): string {
  return [...cookie.matchAll(/(?:^|;\s*)(?:__Secure-)?next-auth\.session-token(?:\.\d+)?=([^;]+)/g)].map((match) => match[1]).join("");
}

function forgetOldest(map: Map<string, string>): void {
  for (const digest of map.keys()) {
    map.delete(digest);
    return;
  }
}
