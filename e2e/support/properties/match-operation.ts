import type { DocumentedOperation } from "./api-document";

export interface OperationMatch {
  /** The operations of the path, whatever their method; empty when the document has no such path. */
  ofPath: DocumentedOperation[];
  /** The one that answers; null when the path has none for this method. */
  operation: DocumentedOperation | null;
  params: Record<string, string>;
}

/** Finds what the document says about a request line, as RFC 3986 normalises its path. Fixed segments win over parameters. */
export function matchOperation(operations: readonly DocumentedOperation[], method: string, path: string): OperationMatch {
  const parts = new URL(path, "http://service").pathname.split("/");
  const matches = operations.flatMap((operation) => {
    const params = matchPath(operation.path.split("/"), parts);
    return params ? [{ operation, params }] : [];
  });
  const least = Math.min(...matches.map(({ params }) => Object.keys(params).length));
  const best = matches.filter(({ params }) => Object.keys(params).length === least);
  const wanted = method === "HEAD" ? "GET" : method;
  const operation = best.find((match) => match.operation.method === wanted)?.operation ?? null;
  return { ofPath: best.map((match) => match.operation), operation, params: best[0]?.params ?? {} };
}

function matchPath(template: string[], parts: string[]): Record<string, string> | null {
  if (template.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, name] of template.entries()) {
    const part = parts[index] ?? "";
    if (name.startsWith("{") && part !== "") params[name.slice(1, -1)] = decode(part);
    else if (name !== part) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
