import { Composer, type CST, type Document, type ParsedNode } from "yaml";
import type { YamlFault } from "./scan-yaml";

const FAULTS_MAX = 20;

/** Thrown through the library when nobody reads further faults. */
class EnoughFaults extends Error {}

/**
 * Composes what `scanYaml` let through into a document, with at most 20 faults of syntax; there is no document when composing
 * was given up. Warnings are dropped: tags, which most of them are about, never get here.
 */
export function composeYaml(
  tokens: CST.Token[],
  length: number,
  scalars: "core" | "text",
): { document: Document.Parsed | null; faults: YamlFault[] } {
  const faults: YamlFault[] = [];
  const composer = new Composer<ParsedNode>({
    version: "1.2",
    schema: scalars === "core" ? "core" : "failsafe",
    merge: false,
    resolveKnownTags: false,
    strict: true,
    stringKeys: true,
    // Looked for in toPlainValue: the library compares each key with each.
    uniqueKeys: false,
  });
  // The library makes an Error with its stack for each fault, 65,000 of them in 128 KB: a second of work. Its own collector is
  // therefore replaced; should a later version not heed this, the faults still arrive in document.errors.
  Object.assign(composer, { onError: collector(faults) });
  try {
    const first = composer.compose(atMostSomeErrors(tokens), true, length).next();
    // Only parsed documents come from tokens; the library's type also covers streams that hold none.
    const document = first.done ? null : (first.value as Document.Parsed);
    for (const error of document?.errors ?? []) faults.push({ offset: error.pos[0], message: withoutSource(error.message) });
    return { document, faults: faults.slice(0, FAULTS_MAX) };
  } catch (error) {
    if (error instanceof EnoughFaults) return { document: null, faults };
    throw error;
  }
}

function collector(faults: YamlFault[]) {
  return (source: unknown, _code: string, message: string, isWarning?: boolean): void => {
    if (isWarning) return;
    faults.push({ offset: offsetOf(source), message: withoutSource(message) });
    if (faults.length >= FAULTS_MAX) throw new EnoughFaults();
  };
}

/** The library's sentence without the piece of the text that some end with: there may be a secret in it, and the place is told anyway. */
function withoutSource(message: string): string {
  return message.replace(/(?<=\S): .*$/su, "").replace(/^(Invalid escape sequence|Unresolved \S+) .*$/su, "$1");
}

function atMostSomeErrors(tokens: CST.Token[]): CST.Token[] {
  let errors = 0;
  return tokens.filter((token) => {
    if (token.type === "error") errors += 1;
    return token.type !== "error" || errors <= FAULTS_MAX;
  });
}

/** The library names places as an offset, as a range, or by a token. */
function offsetOf(source: unknown): number {
  if (typeof source === "number") return source;
  if (Array.isArray(source)) return offsetOf(source[0]);
  return typeof source === "object" && source !== null && "offset" in source ? offsetOf(source.offset) : 0;
}
