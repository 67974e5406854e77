import "server-only";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { SlicedWork } from "@/lib/platform/in-slices";
import { MarkdownWriter } from "@/lib/runtime/documents/markdown-writer";

const STEP_CHARACTERS = 16_384;

/** Elements whose content is nothing to read. */
const SKIPPED = new Set(
  "script style noscript template svg iframe object select textarea canvas noembed noframes".split(
    " ",
  ),
);
const TITLE_MAX_CHARACTERS = 500;
const HREF_MAX_CHARACTERS = 2_000;
/**
 * What a page says, for a model: its title, and its text with headings, lists, tables, code and
 * links in Markdown's way.
 */
export interface PageText {
  title: string | null;
  text: string;
}

/**
 * The readable text of an HTML page, which may be hostile, in small steps and in time that grows
 * with its length alone. Nothing of it is run or fetched. `base` makes links absolute. Tokens are
 * htmlparser2's; they are written down as they come, since every package that builds a tree (its
 * own parser, html-to-text, linkedom with Readability) takes many seconds on, or overflows its
 * stack by, tags a hundred thousand deep inside each other.
 */
export function* htmlToText(html: string, base: string): SlicedWork<PageText> {
  const reader = new PageReader(html, base);
  const tokenizer = new Tokenizer({}, reader);
  for (let at = 0; at < html.length; at += STEP_CHARACTERS) {
    if (at > 0) yield;
    tokenizer.write(html.slice(at, at + STEP_CHARACTERS));
  }
  tokenizer.end();
  return reader.result();
}

/** Turns tokens into calls of a writer. */
class PageReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #base: string;
  readonly #writer = new MarkdownWriter();
  #title: string | null = null;
  #isInTitle = false;
  #skipped: string | null = null;
  #tag = "";
  #isHref = false;
  #href: string | null = null;

  constructor(html: string, base: string) {
    this.#html = html;
    this.#base = base;
  }

  /**
   * Half a surrogate pair is left where a title is cut, and where the tokenizer takes the end of a
   * page within an end tag's attribute for text.
   */
  result(): PageText {
    const title = this.#title
      ?.replace(/\s+/g, " ")
      .trim()
      .slice(0, TITLE_MAX_CHARACTERS)
      .toWellFormed();
    return { title: title || null, text: this.#writer.result().toWellFormed() };
  }

  ontext(start: number, end: number): void {
    this.#text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#text(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#href = null;
  }

  onattribname(start: number, end: number): void {
    this.#isHref =
      this.#tag === "a" &&
      this.#href === null &&
      end - start === 4 &&
      this.#html.slice(start, end).toLowerCase() === "href";
    if (this.#isHref) this.#href = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#isHref)
      this.#addToHref(this.#html.slice(start, Math.min(end, start + HREF_MAX_CHARACTERS + 1)));
  }

  onattribentity(codePoint: number): void {
    if (this.#isHref) this.#addToHref(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    this.#isHref = false;
  }

  onopentagend(): void {
    if (this.#skipped !== null) return;
    if (SKIPPED.has(this.#tag)) this.#skipped = this.#tag;
    else if (this.#tag === "title") this.#isInTitle = true;
    else this.#writer.open(this.#tag, this.#tag === "a" ? this.#linkTo(this.#href ?? "") : null);
  }

  onselfclosingtag(): void {
    // Only within SVG does the slash close an element.
    if (this.#tag !== "svg") this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#skipped === name) this.#skipped = null;
    else if (this.#skipped !== null) return;
    else if (name === "title") this.#isInTitle = false;
    else this.#writer.close(name);
  }

  oncomment(): void {}
  oncdata(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #text(text: string): void {
    if (this.#skipped !== null) return;
    if (!this.#isInTitle) this.#writer.text(text);
    else if ((this.#title ?? "").length < 2 * TITLE_MAX_CHARACTERS)
      this.#title = (this.#title ?? "") + text.slice(0, 2 * TITLE_MAX_CHARACTERS);
  }

  #addToHref(text: string): void {
    const known = this.#href ?? "";
    if (known.length <= HREF_MAX_CHARACTERS) this.#href = known + text;
  }

  /** Null for what leads anywhere but to the web, or only within the page. */
  #linkTo(written: string): string | null {
    const href = written.trim();
    if (
      href === "" ||
      href.startsWith("#") ||
      href.length > HREF_MAX_CHARACTERS ||
      !URL.canParse(href, this.#base)
    )
      return null;
    const url = new URL(href, this.#base);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  }
}
