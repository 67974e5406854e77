"use client";
import dynamic from "next/dynamic";
import { memo } from "react";

const TEXT_MAX_CHARACTERS = 60_000;
/**
 * Quotes and lists, inside each other and over all: measured, 48,000 of them block a page for 20 s
 * and 2,000 for a third of one.
 */
const LINE_CONTAINERS_MAX = 6;
const CONTAINERS_MAX = 2000;
const LINE_INDENT_MAX_CHARACTERS = 64;
/** Brackets and emphasis marks are where Markdown parsers take quadratic time. */
const MARKS_MAX_RUN = 64;
const MARKS_MAX_PER_BLOCK = 4000;

interface BoundedMarkdown {
  /** Plain when the text is built to be costly: it is then shown as it was written. */
  kind: "markdown" | "plain";
  text: string;
  /** Characters of the original that are left out at the end. */
  omitted: number;
}

/**
 * Makes a stranger's text safe to parse in the page: bounded in length, and in the nesting that a
 * parser would have to follow.
 */
export function boundMarkdown(text: string): BoundedMarkdown {
  const cut = text.length > TEXT_MAX_CHARACTERS ? text.slice(0, TEXT_MAX_CHARACTERS) : text;
  const omitted = text.length - cut.length;
  return { kind: isCostly(cut) ? "plain" : "markdown", text: cut, omitted };
}

function isCostly(text: string): boolean {
  let marks = 0;
  let containers = 0;
  for (const line of text.split("\n")) {
    const depth = countContainers(line);
    const found = countMarks(line);
    containers += depth;
    marks = line.trim() === "" ? 0 : marks + found;
    if (depth > LINE_CONTAINERS_MAX || containers > CONTAINERS_MAX || marks > MARKS_MAX_PER_BLOCK)
      return true;
  }
  return false;
}

/**
 * How many quotes and lists the line opens inside each other; deep indentation counts as too many.
 * Loops, as a pattern could itself be slow.
 */
function countContainers(line: string): number {
  let containers = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === ">" || ("-*+".includes(character) && " \t".includes(line.charAt(index + 1))))
      containers += 1;
    else if (/[0-9]/.test(character)) {
      const end = endOfNumber(line, index);
      if (end === null) return containers;
      containers += 1;
      index = end;
    } else if (character !== " " && character !== "\t") return containers;
    else if (index > LINE_INDENT_MAX_CHARACTERS) return Number.POSITIVE_INFINITY;
  }
  return containers;
}

/** The place of the dot of `12. `, when that is what stands at `start`. */
function endOfNumber(line: string, start: number): number | null {
  let index = start;
  while (index - start < 10 && /[0-9]/.test(line.charAt(index))) index += 1;
  return ".)".includes(line.charAt(index) || " ") && " \t".includes(line.charAt(index + 1))
    ? index
    : null;
}

/**
 * How many marks the line has; too many when a long row of one kind is among them. A line of
 * nothing else (a rule) is harmless.
 */
function countMarks(line: string): number {
  let marks = 0;
  let run = 0;
  let previous = "";
  for (const character of line) {
    if (!MARKS.includes(character)) {
      previous = "";
      continue;
    }
    run = character === previous ? run + 1 : 1;
    marks += 1;
    if (run > MARKS_MAX_RUN) return Number.POSITIVE_INFINITY;
    previous = character;
  }
  return marks;
}

const MARKS = "*_~`[]()<>!&\\|@";

/**
 * Cuts Markdown that is still being written into pieces that are finished and a last one that is
 * not, at blank lines outside of code fences. Joined with a blank line they are the text again (but
 * for runs of blank lines). Drawing each finished piece once keeps a long answer from being parsed
 * anew at every frame.
 */
export function splitMarkdown(text: string): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    fence = fenceAfter(fence, line);
    if (line.trim() === "" && fence === null && piece.length > 0) {
      pieces.push(piece.join("\n"));
      piece = [];
    } else if (line.trim() !== "" || fence !== null) piece.push(line);
  }
  pieces.push(piece.join("\n"));
  return pieces;
}

/** The fence that is open after the line, or null. */
function fenceAfter(fence: string | null, line: string): string | null {
  if (fence === null) return /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null;
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark && mark.charAt(0) === fence.charAt(0) && mark.length >= fence.length ? null : fence;
}

/** Parsed in the browser alone: a text that is built to be slow must not hold up the server. */
const ParsedMarkdown = dynamic(
  () => import("@/components/markdown/parsed-markdown").then((module) => module.ParsedMarkdown),
  {
    ssr: false,
    loading: () => null,
  },
);

interface MarkdownProps {
  text: string;
  /** More is still to come: what is finished is drawn once, only the last piece again and again. */
  live?: boolean;
}

/** Markdown that a model or a stranger wrote, bounded and without anything that loads or runs. */
export const Markdown = memo(function Markdown({ text, live = false }: MarkdownProps) {
  const bounded = boundMarkdown(text);
  if (bounded.kind === "plain") return <PlainText text={bounded.text} omitted={bounded.omitted} />;
  const pieces = live ? splitMarkdown(bounded.text) : [bounded.text];
  return (
    <div className="prose-lathe">
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever added at the end
        <ParsedMarkdown key={index} text={piece} />
      ))}
      {bounded.omitted > 0 && <Omitted characters={bounded.omitted} />}
    </div>
  );
});

function PlainText({ text, omitted }: { text: string; omitted: number }) {
  return (
    <div>
      <pre className="whitespace-pre-wrap font-sans [overflow-wrap:anywhere]">{text}</pre>
      {omitted > 0 && <Omitted characters={omitted} />}
    </div>
  );
}

function Omitted({ characters }: { characters: number }) {
  return (
    <p className="text-faint text-xs">
      {characters.toLocaleString("en")} more characters are not shown here.
    </p>
  );
}
