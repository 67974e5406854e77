import "server-only";
import type { ApiRequest } from "@/lib/api/http/request";
import { ServiceError } from "@/lib/model/errors";
import { API_KEY_PREFIX, type ApiKeyKind, looksLikeApiKey } from "@/lib/platform/crypto/api-key";

const BEARER = /^Bearer +(\S+) *$/i;

/** The key of `Authorization: Bearer <key>`, or an empty text. */
export function bearerKey(request: ApiRequest): string {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

const NAME: Record<ApiKeyKind, string> = { account: "an account key", app: "an app key" };
const PLACE: Record<ApiKeyKind, string> = { account: "/v1", app: "/api/v1/apps/{agent id}" };

/**
 * Why a request did not get in, told from what it sent alone: what is said of one well-formed key is said of every other, whether or not there is or was such
 * a key.
 */
export function keyRefusal(request: ApiRequest, kind: ApiKeyKind): ServiceError {
  return new ServiceError("AUTHENTICATION_REQUIRED", whatIsWrong(request, kind), {}, { "WWW-Authenticate": "Bearer" });
}

function whatIsWrong(request: ApiRequest, kind: ApiKeyKind): string {
  const [header, key, prefix] = [request.headers.get("authorization") ?? "", bearerKey(request), API_KEY_PREFIX[kind]];
  const other = kind === "account" ? "app" : "account";
  const send = `Send ${NAME[kind]}: Authorization: Bearer ${prefix}…`;
  if (header.trim() === "") return `This request has no Authorization header. ${send}`;
  if (!/^Bearer( |$)/i.test(header)) return `The Authorization header does not begin with Bearer. ${send}`;
  if (key === "") return `The Authorization header must hold one key after Bearer, without blanks in it. ${send}`;
  if (key.startsWith(API_KEY_PREFIX[other]))
    return `This is ${NAME[other]}, which works under ${PLACE[other]} only. Here ${NAME[kind]} is needed: ${prefix}…`;
  if (!key.startsWith(prefix)) return `This is no key of this service: ${NAME[kind]} begins with ${prefix}.`;
  if (!looksLikeApiKey(key, kind)) return "This key was not copied whole, or was mistyped: its checksum does not fit. Copy it again.";
  return "This key is not valid: it is unknown, has expired or was revoked. Make one in the console, under API keys.";
}
