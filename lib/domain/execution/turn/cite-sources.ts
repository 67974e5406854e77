import "server-only";
import type { Transcript } from "@/lib/domain/execution/run/transcript";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { Citation, CitedSource } from "@/lib/model/run/run-result";

const SOURCES_MAX = 500;
const CITATIONS_MAX = 100;
const TITLE_MAX_CHARACTERS = 200;
const STATEMENT_MAX_CHARACTERS = 500;
/** A place name of fewer is found in any text. */
const PATH_MIN_CHARACTERS = 4;

/**
 * Where an answer names what the run has read: pages by their address, files by their path. It
 * names no other source: an address that a model made up is none. Linear in text and sources.
 */
export function citationsIn(text: string, transcript: Transcript): Citation[] {
  const citations = sourcesOf(transcript).flatMap(({ needle, source }) =>
    placesOf(needle, text, source.type).map((at) => {
      const location = statementAt(text, at, at + needle.length);
      const statement = text.slice(location.start, location.end);
      return { at, citation: { text: statement, source, location } };
    }),
  );
  return citations
    .toSorted((left, right) => left.at - right.at)
    .slice(0, CITATIONS_MAX)
    .map(({ citation }) => citation);
}

interface KnownSource {
  /** By what the answer would name it. */
  needle: string;
  source: CitedSource;
}

/** What the run's calls have read, each once, in their order. */
function sourcesOf(transcript: Transcript): KnownSource[] {
  const known = new Map<string, KnownSource>();
  const note = (needle: string, source: CitedSource) => {
    if (known.size < SOURCES_MAX || known.has(needle))
      known.set(needle, known.get(needle) ?? { needle, source });
  };
  for (const { toolCallId, name, input } of transcript.calls()) {
    const result = transcript.resultOf(toolCallId);
    if (!result?.succeeded) continue;
    const output = result.output as JsonValue; // stored as JSON
    const given: JsonObject = isJsonObject(output) ? output : {};
    const pages = name === "web_search" ? given.results : name === "web_fetch" ? [given] : [];
    for (const page of Array.isArray(pages) ? pages : []) {
      const url = isJsonObject(page) && typeof page.url === "string" ? page.url : "";
      if (!/^https?:\/\//i.test(url)) continue;
      const title = isJsonObject(page) && typeof page.title === "string" ? page.title : null;
      note(bareAddress(url), {
        type: "web",
        url,
        title: title === null ? null : title.slice(0, TITLE_MAX_CHARACTERS).toWellFormed(),
      });
    }
    const path = name === "files_read" ? pathOf(given, input) : null;
    if (path !== null && path.length >= PATH_MIN_CHARACTERS) note(path, { type: "file", path });
  }
  return [...known.values()];
}

function pathOf({ path }: JsonObject, input: unknown): string | null {
  if (typeof path === "string") return path;
  const args = input as JsonValue; // a call's arguments are JSON
  return isJsonObject(args) && typeof args.path === "string" ? args.path : null;
}

/** Without what names no other page. */
function bareAddress(url: string): string {
  const [page = url] = url.split("#", 1);
  return page.endsWith("/") ? page.slice(0, -1) : page;
}

/** Where a source stands in a text as a whole, and not as the beginning or end of another. */
function placesOf(needle: string, text: string, type: CitedSource["type"]): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
    const end = at + needle.length;
    const isWhole = type === "web" ? endsAddress(text, end) : isPathAlone(text, at, end);
    if (isWhole && places.length < CITATIONS_MAX) places.push(at);
  }
  return places;
}

function endsAddress(text: string, end: number): boolean {
  const rest = text.slice(end, end + 2);
  return !/^(?:[\p{L}\p{N}_%~@=&?+-]|[./][\p{L}\p{N}_%~@=&?+-])/u.test(rest);
}

function isPathAlone(text: string, start: number, end: number): boolean {
  const isJoined = /[\p{L}\p{N}_/\\-]/u.test(text.charAt(start - 1));
  return !isJoined && !/^(?:[\p{L}\p{N}_/\\-]|\.[\p{L}\p{N}])/u.test(text.slice(end, end + 2));
}

const SENTENCE_ENDS = [". ", "! ", "? ", "。", "！", "？"];

/**
 * The sentence around a place, within its line; where that says nothing else, the one before it
 * too.
 */
function statementAt(text: string, from: number, to: number): Citation["location"] {
  const lineStart = text.lastIndexOf("\n", from - 1) + 1;
  const lineBreak = text.indexOf("\n", to);
  const lineEnd = lineBreak < 0 ? text.length : lineBreak;
  let start = sentenceStart(text, lineStart, from);
  if (wordsBetween(text, start, from) === 0 && start > lineStart)
    start = sentenceStart(text, lineStart, start - 1);
  const end = sentenceEnd(text, to, lineEnd);
  return {
    start: Math.max(start, end - Math.max(STATEMENT_MAX_CHARACTERS, end - from)),
    end,
  };
}

function sentenceStart(text: string, lineStart: number, before: number): number {
  const starts = SENTENCE_ENDS.map((mark) => {
    const at = text.lastIndexOf(mark, Math.max(0, before - mark.length));
    return at < lineStart ? lineStart : at + mark.length;
  });
  return Math.max(lineStart, ...starts);
}

function sentenceEnd(text: string, from: number, lineEnd: number): number {
  const ends = SENTENCE_ENDS.map((mark) => text.indexOf(mark, from))
    .filter((at) => at >= 0 && at < lineEnd)
    .map((at) => at + 1);
  return Math.min(lineEnd, from + STATEMENT_MAX_CHARACTERS, ...ends);
}

/** Words that are no part of a link. */
function wordsBetween(text: string, start: number, end: number): number {
  const words = text.slice(Math.max(start, end - STATEMENT_MAX_CHARACTERS), end);
  const bare = words.replace(/\[[^[\]]*\]\($/, "").replace(/[([<*_`"'>-]/g, " ");
  return bare.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
