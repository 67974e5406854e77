import type { ApiDocument, ApiReference } from "@/lib/console/reference/api-document";

/** What stands where a part of the document points to; the part itself when it points nowhere. */
export function followReference<T extends ApiReference>(document: ApiDocument, part: T): T {
  if (part.$ref === undefined) return part;
  const target = part.$ref
    .split("/")
    .slice(1)
    .reduce((at: unknown, key) => (at as Record<string, unknown>)[key], document);
  return followReference(document, target as T); // a reference points to a part of its own kind
}
