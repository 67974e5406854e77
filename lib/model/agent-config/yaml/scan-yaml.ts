import { CST, Lexer, Parser } from "yaml";

/** A fault and where it stands. */
export type YamlFault = { offset: number; message: string };

/** Most lexical tokens; a text with more is refused before it is parsed to the end. */
const YAML_MAX_TOKENS = 80_000;
/**
 * Deepest nesting, counted in the parser's open constructs (a document and a scalar are two of
 * them).
 */
const YAML_MAX_DEPTH = 64;

/** Tokens between two yields. */
const STEP_TOKENS = 2_000;

const REFUSED: Partial<Record<string, string>> = {
  alias: "Aliases (*name) are not allowed.",
  anchor: "Anchors (&name) are not allowed.",
  "directive-line": "Directives (%…) are not allowed.",
  tag: "Tags (!…) are not allowed.",
};

/**
 * Reads a text into YAML's concrete syntax tree, or says why it is refused: what no plain data
 * needs (anchors, aliases, tags, directives, further documents), too many tokens, or too deep. The
 * library's lexer and tree builder work without recursion and are stopped at the first excess; only
 * what they let through may meet the composer, which recurses. Yields now and then.
 */
export function* scanYaml(
  text: string,
): Generator<void, { ok: true; tokens: CST.Token[] } | { ok: false; fault: YamlFault }, void> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let offset = 0;
  let count = 0;
  let last: CST.TokenType | null = null;
  for (const source of new Lexer().lex(text)) {
    const type = CST.tokenType(source);
    count += 1;
    if (count % STEP_TOKENS === 0) yield;
    // What follows the mark of a scalar is its text, whatever it looks like.
    const message = refusal(last === "scalar" ? null : type, count);
    if (message !== null) return { ok: false, fault: { offset, message } };
    tokens.push(...parser.next(source));
    if (parser.stack.length > YAML_MAX_DEPTH)
      return {
        ok: false,
        fault: { offset, message: `Nested deeper than ${YAML_MAX_DEPTH} levels.` },
      };
    offset += isMark(type) && last !== "scalar" ? 0 : source.length;
    last = last === "scalar" ? null : type;
  }
  tokens.push(...parser.end());
  const second = tokens.filter((token) => token.type === "document")[1];
  if (second !== undefined)
    return {
      ok: false,
      fault: { offset: second.offset, message: "Only one document is allowed." },
    };
  return { ok: true, tokens };
}

function refusal(type: CST.TokenType | null, count: number): string | null {
  if (count > YAML_MAX_TOKENS) return `More than ${YAML_MAX_TOKENS} tokens.`;
  return (type === null ? undefined : REFUSED[type]) ?? null;
}

/** Marks that the lexer puts between the tokens and that do not stand in the text. */
function isMark(type: CST.TokenType | null): boolean {
  return type === "doc-mode" || type === "scalar" || type === "flow-error-end";
}

/**
 * What is wrong with a text, and where: `path` is dotted (empty for a fault of syntax), `line` and
 * `column` count from 1.
 */
export type TextError = { path: string; message: string; line: number; column: number };

/** The line and column of an offset, both from 1; columns count UTF-16 units, as editors do. */
export function toPosition(text: string, offset: number): { line: number; column: number } {
  const end = Math.min(Math.max(0, offset), text.length);
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < end; next = text.indexOf("\n", start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: end - start + 1 };
}
