import "server-only";

/**
 * Elements that stand apart from what is around them by an empty line, and those that begin a line.
 */
const BLOCKS = new Set(
  (
    "address article aside blockquote dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr " +
    "main nav ol p pre section table ul"
  ).split(" "),
);
const LINES = new Set("br dd div dt figcaption li summary tr".split(" "));
const CODE = new Set(["code", "kbd", "samp", "tt"]);
const OPEN_LINKS_MAX = 100;
const OPEN_LISTS_MAX = 20;
const HEAD_CELLS_MAX = 100;
/** Bounds what hostile pages open without any text. */
const LINE_MARKER_MAX_CHARACTERS = 300;
const FENCE_START = "```\n";
const PIECE_PARTS = 4_096;

/**
 * Writes the elements of a page as Markdown, as they come; what it knows of the elements that are
 * open is bounded. Breaks and markers wait until there is text behind them, so that elements
 * without text leave nothing.
 */
export class MarkdownWriter {
  /** The text so far: long pieces, and what was added to them. */
  readonly #pieces: string[] = [];
  #parts: string[] = [];
  #breaks = 0;
  #hasSpace = false;
  /** What begins the line of the next text, and what stands right before it. */
  #lineMarker = "";
  #marker = "";
  /** One entry for each open link, so that the ends match the starts. */
  readonly #links: (string | null)[] = [];
  /** One entry for each open list: how many items it has had, null where they are not numbered. */
  readonly #lists: (number | null)[] = [];
  #isPre = false;
  #isCode = false;
  #row = { cells: 0, isHead: false, isFirst: false, hasText: false };

  text(written: string): void {
    const text = written.includes("\u00ad") ? written.replaceAll("\u00ad", "") : written;
    if (text === "") return;
    if (this.#isPre) {
      this.#put(this.#parts.at(-1) === FENCE_START ? text.replace(/^\r?\n/, "") : text);
      return;
    }
    const words = text.replace(/\s+/g, " ");
    if (words.startsWith(" ")) this.#hasSpace = true;
    const core = words.trim();
    if (core === "") return;
    this.#put(core);
    this.#hasSpace = words.endsWith(" ");
  }

  open(name: string, link: string | null): void {
    if (name === "a") this.#openLink(link);
    else if (name === "td" || name === "th") this.#openCell(name === "th");
    else if (CODE.has(name)) this.#openCode();
    else this.#openBlock(name);
  }

  close(name: string): void {
    if (name === "a") this.#closeLink();
    else if (CODE.has(name)) this.#closeCode();
    else if (name === "tr" || name === "table") this.#closeRow();
    else if (name === "pre") this.#closePre();
    else if (name === "ul" || name === "ol") this.#lists.pop();
    this.#break(name);
  }

  result(): string {
    if (this.#isPre) this.#closePre();
    return [...this.#pieces, ...this.#parts].join("").trim();
  }

  #put(text: string): void {
    if (this.#parts.length > 0 && this.#breaks > 0) this.#parts.push("\n".repeat(this.#breaks));
    else if (this.#hasSpace && this.#parts.length > 0) this.#parts.push(" ");
    this.#parts.push(this.#lineMarker + this.#marker, text);
    this.#breaks = 0;
    this.#hasSpace = false;
    this.#lineMarker = "";
    this.#marker = "";
    this.#row.hasText = true;
    if (this.#parts.length < PIECE_PARTS) return;
    // Joining them all at the end would be one long step.
    const last = this.#parts.pop() ?? "";
    this.#pieces.push(this.#parts.join(""));
    this.#parts = [last];
  }

  #break(name: string): void {
    if (this.#isPre && name === "br") this.#put("\n");
    // A marker and the text that it is for stay on one line.
    if (this.#isPre || this.#lineMarker !== "") return;
    const isInList = this.#lists.length > 0 && (name === "ul" || name === "ol" || name === "p");
    if ((BLOCKS.has(name) && !isInList) || (name === "br" && this.#breaks > 0)) this.#breaks = 2;
    else if (BLOCKS.has(name) || LINES.has(name)) this.#breaks = Math.max(this.#breaks, 1);
  }

  #openBlock(name: string): void {
    const isHeading = /^h[1-6]$/.test(name);
    if (name === "tr" || name === "table") this.#closeRow();
    // One that is still there belongs to an item or a heading without text.
    if (name === "li" || isHeading) this.#lineMarker = "";
    this.#break(name);
    if (isHeading) this.#lineMarker = `${"#".repeat(Number(name[1]))} `;
    else if (name === "li") this.#openItem();
    else if (name === "ul" || name === "ol") this.#openList(name === "ol");
    else if (name === "table" || name === "tr")
      this.#row = {
        cells: 0,
        isHead: false,
        isFirst: name === "table" || this.#row.isFirst,
        hasText: false,
      };
    else if (name === "pre" && !this.#isPre) {
      this.#put(FENCE_START);
      this.#isPre = true;
    }
  }

  #openList(isNumbered: boolean): void {
    if (this.#lists.length < OPEN_LISTS_MAX) this.#lists.push(isNumbered ? 0 : null);
  }

  #openItem(): void {
    const indent = "  ".repeat(Math.max(0, this.#lists.length - 1));
    const count = this.#lists.pop();
    if (count !== undefined) this.#lists.push(count === null ? null : count + 1);
    this.#lineMarker = typeof count === "number" ? `${indent}${count + 1}. ` : `${indent}- `;
  }

  #openLink(link: string | null): void {
    if (this.#links.length === OPEN_LINKS_MAX) return;
    this.#links.push(this.#isPre ? null : link);
    if (link !== null && !this.#isPre) this.#marker += "[";
  }

  #closeLink(): void {
    const link = this.#links.pop() ?? null;
    if (link === null) return;
    if (this.#marker.endsWith("[")) this.#marker = this.#marker.slice(0, -1);
    else this.#parts.push(`](${link})`);
  }

  #openCode(): void {
    if (this.#isPre || this.#isCode) return;
    this.#isCode = true;
    this.#marker += "`";
  }

  #closeCode(): void {
    if (!this.#isCode) return;
    this.#isCode = false;
    if (this.#marker.endsWith("`")) this.#marker = this.#marker.slice(0, -1);
    else this.#parts.push("`");
  }

  #closePre(): void {
    if (!this.#isPre) return;
    this.#isPre = false;
    this.#parts.push(this.#parts.at(-1)?.endsWith("\n") ? "```" : "\n```");
  }

  /** A cell goes on in its row's line, whatever blocks the one before it held. */
  #openCell(isHead: boolean): void {
    this.#row.cells += 1;
    this.#row.isHead ||= isHead;
    if (this.#row.hasText) {
      this.#breaks = 0;
      this.#hasSpace = true;
    }
    if (this.#lineMarker.length < LINE_MARKER_MAX_CHARACTERS) this.#lineMarker += "| ";
  }

  #closeRow(): void {
    const { cells, isHead, isFirst, hasText } = this.#row;
    if (cells === 0) return;
    this.#lineMarker = "";
    if (!hasText) return;
    this.#row = { cells: 0, isHead: false, isFirst: false, hasText: false };
    this.#parts.push(" |");
    if (isHead && isFirst && cells <= HEAD_CELLS_MAX)
      this.#parts.push(`\n|${" --- |".repeat(cells)}`);
    this.#breaks = 0;
  }
}
