import "server-only";
import { createHash } from "node:crypto";
import type { ApiRequest } from "@/lib/api/http/request";
import { CLIENT_TOKEN_PREFIX } from "@/lib/model/client-token";
import { ServiceError } from "@/lib/model/errors";
import { API_KEY_PREFIX, type ApiKeyKind, looksLikeApiKey } from "@/lib/platform/crypto/api-key";
import { definePart } from "@/lib/service";

const BEARER = /^Bearer +(\S+) *$/i;

/** The key of `Authorization: Bearer <key>`, or an empty text. */
export function bearerKey(request: ApiRequest): string {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

const NAME: Record<ApiKeyKind, string> = { account: "an account key", app: "an app key" };
const PLACE: Record<ApiKeyKind, string> = { account: "/v1", app: "/api/v1/apps/{agent id}" };

/**
 * Why a request did not get in, told from what it sent alone: what is said of one well-formed key
 * is said of every other, whether or not there is or was such a key.
 * @param challenge the answer's `WWW-Authenticate`
 */
export function keyRefusal(
  request: ApiRequest,
  kind: ApiKeyKind,
  challenge = "Bearer",
): ServiceError {
  return new ServiceError(
    "AUTHENTICATION_REQUIRED",
    whatIsWrong(request, kind),
    {},
    { "WWW-Authenticate": challenge },
  );
}

function whatIsWrong(request: ApiRequest, kind: ApiKeyKind): string {
  const [header, key, prefix] = [
    request.headers.get("authorization") ?? "",
    bearerKey(request),
    API_KEY_PREFIX[kind],
  ];
  const other = kind === "account" ? "app" : "account";
  const send = `Send ${NAME[kind]}: Authorization: Bearer ${prefix}…`;
  if (header.trim() === "") return `This request has no Authorization header. ${send}`;
  if (!/^Bearer( |$)/i.test(header))
    return `The Authorization header does not begin with Bearer. ${send}`;
  if (key === "")
    return `The Authorization header must hold one key after Bearer, without blanks in it. ${send}`;
  if (key.startsWith(CLIENT_TOKEN_PREFIX)) return tokenFault(kind);
  if (key.startsWith(API_KEY_PREFIX[other]))
    return (
      `This is ${NAME[other]}, which works under ${PLACE[other]} only. Here ${NAME[kind]} is ` +
      `needed: ${prefix}…`
    );
  if (!key.startsWith(prefix))
    return `This is no key of this service: ${NAME[kind]} begins with ${prefix}.`;
  if (!looksLikeApiKey(key, kind))
    return (
      "This key was not copied whole, or was mistyped: its checksum does not fit. Copy it " +
      "again."
    );
  return (
    "This key is not valid: it is unknown, has expired or was revoked. Make one in the " +
    "console, under API keys."
  );
}

function tokenFault(kind: ApiKeyKind): string {
  if (kind === "account")
    return (
      `This is a client token, which works under ${PLACE.app} only. Here ${NAME.account} is ` +
      `needed: ${API_KEY_PREFIX.account}…`
    );
  return (
    "This client token is not valid: its time is over, or it is none of this service, or the " +
    "key or session that made it, its agent or its account have ended. Ask your backend for " +
    "another."
  );
}

const CALLERS_MAX = 20_000;

/** The two headers that credentials come in. */
interface Credentials {
  authorization: string | null | undefined;
  cookie: string | null | undefined;
}

/**
 * Remembers whose credentials these are, once they were accepted: the listener lets requests into
 * work by account, and looks nothing up for that. It is never asked whether somebody may do
 * something. Digests alone are kept, the last 20,000 that were new.
 */
export function noteCaller(credentials: Credentials, accountId: string): void {
  const digest = digestOf(credentials);
  if (digest === null || knownCallers().get(digest) === accountId) return;
  if (knownCallers().size >= CALLERS_MAX) forgetOldest(knownCallers());
  knownCallers().set(digest, accountId);
}

/**
 * The account that these credentials were once accepted for; null for others, which anybody can
 * make up as many of as he likes.
 */
export function findCaller(credentials: Credentials): string | null {
  const digest = digestOf(credentials);
  return digest === null ? null : (knownCallers().get(digest) ?? null);
}

export const knownCallers = definePart("known-callers", () => new Map<string, string>());

function digestOf({ authorization, cookie }: Credentials): string | null {
  const credential = authorization || sessionOf(cookie ?? "");
  if (credential === "") return null;
  if (credential !== latest.credential)
    latest = { credential, digest: createHash("sha256").update(credential).digest("base64") };
  return latest.digest;
}

/** One request asks several times, and a busy client's requests follow each other. */
let latest = { credential: "", digest: "" };

/** The session's cookie, which next-auth cuts into several when it is long. */
function sessionOf(cookie: string): string {
  return [...cookie.matchAll(/(?:^|;\s*)(?:__Secure-)?next-auth\.session-token(?:\.\d+)?=([^;]+)/g)]
    .map((match) => match[1])
    .join("");
}

function forgetOldest(map: Map<string, string>): void {
  for (const digest of map.keys()) {
    map.delete(digest);
    return;
  }
}
