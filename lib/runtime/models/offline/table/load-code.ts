import "server-only";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** Tables that the request itself carries, by a name: CSV text or a list of objects. */
export type InlineTables = Record<string, JsonValue>;

/** Code that finds a table by its path, be it a file or a part of the request. */
export function loadCode(inline: InlineTables): string {
  if (Object.keys(inline).length === 0) return "const load = readTable;\n";
  // JSON inside a string literal: no text of the request can become code.
  return `const inline = JSON.parse(${JSON.stringify(JSON.stringify(inline))});
const load = (path) => (!Object.hasOwn(inline, path) ? readTable(path) : typeof inline[path] === "string" ? parseCsv(inline[path]) : inline[path]);
`;
}
