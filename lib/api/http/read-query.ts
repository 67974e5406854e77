import "server-only";
import { invalidInput } from "@/lib/model/errors";

/**
 * `a=1&metadata[k]=v` as `{a: "1", metadata: {k: "v"}}`; the last of repeated keys counts.
 * @throws ServiceError INVALID_INPUT for what no database can hold, and for a metadata key that an object would swallow
 */
export function readQuery(parts: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const metadata: [string, string][] = [];
  for (const [name, value] of parts) {
    for (const text of [name, value])
      if (text.includes("\u0000") || !text.isWellFormed()) throw invalidInput(name, "must not contain NUL or lone surrogates");
    const inner = /^metadata\[(.*)\]$/s.exec(name)?.[1];
    if (inner === "__proto__") throw invalidInput(name, "must have another key than __proto__");
    if (inner === undefined) query[name] = value;
    else metadata.push([inner, value]);
  }
  // Beside a plain `metadata=…` the pairs do not count, so that the bad value is refused and not passed over.
  if (metadata.length > 0 && query.metadata === undefined) query.metadata = Object.fromEntries(metadata);
  return query;
}
