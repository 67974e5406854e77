import "server-only";

/**
 * Whether a request's `If-Match` lets a record with this strong validator be changed (RFC 9110, 13.1.1): no header and `*` always do; weak validators
 * never match.
 */
export function ifMatch(header: string | null, etag: string): boolean {
  if (header === null || header.trim() === "*") return true;
  return header.split(",").some((candidate) => candidate.trim() === etag);
}
