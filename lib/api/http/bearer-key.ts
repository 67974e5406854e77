import "server-only";

/** The key of `Authorization: Bearer <key>`, or an empty text. */
export function bearerKey(request: Request): string {
  return /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}
