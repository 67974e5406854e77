import type { ApiDocument, ApiOperation } from "@/lib/console/reference/api-document";

export type ApiMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Whose key an operation takes. */
export type ApiKeyKind = "account" | "app" | "none";

/** An operation with where it stands. */
export interface ReferenceOperation {
  id: string;
  method: ApiMethod;
  path: string;
  tag: string;
  summary: string;
  key: ApiKeyKind;
  source: ApiOperation;
}

const METHODS: readonly string[] = ["get", "post", "put", "patch", "delete"];

/** The operations of the document, tag by tag in the order of the tags. */
export function listOperations(document: ApiDocument): ReferenceOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, source]) => ({
        id: source.operationId,
        method: method.toUpperCase() as ApiMethod, // one of METHODS
        path,
        tag: source.tags?.[0] ?? "",
        summary: source.summary ?? source.operationId,
        key: keyOf(source),
        source,
      })),
  );
  return document.tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}

/** Without a word of its own an operation takes the document's default, an account key. */
function keyOf({ security }: ApiOperation): ApiKeyKind {
  if (security?.length === 0) return "none";
  return security?.some((scheme) => "appKey" in scheme) ? "app" : "account";
}
