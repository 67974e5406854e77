import "server-only";

/** Elements whose content is nothing to read. */
const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "head", "select", "textarea", "canvas"]);
const BLOCKS = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody thead tr ul".split(
    " ",
  ),
);
const NAMED: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  pound: "£",
  deg: "°",
  laquo: "«",
  raquo: "»",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
  eacute: "é",
  egrave: "è",
  agrave: "à",
  ccedil: "ç",
  ntilde: "ñ",
  shy: "",
};
const HREF = /\shref\s*=\s*(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))/i;
const HREF_SEARCHED_CHARACTERS = 4_000;

/** What a page says, for a model: its title, and its text with headings, list items and links in Markdown's way. */
export interface PageText {
  title: string | null;
  text: string;
}

/**
 * The readable text of an HTML page, which may be hostile: one pass over it, in time that grows with its length alone. Nothing of it is
 * run or fetched. `base` makes links absolute.
 */
export function htmlToText(html: string, base: string): PageText {
  const writer = new TextWriter(base);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open === -1) break;
    writer.text(html.slice(at, open));
    at = readMarkup(html, open, writer);
  }
  if (at < html.length) writer.text(html.slice(at));
  return writer.result();
}

/** Reads a tag, a comment or a lone `<` at `open`; gives where the text goes on. */
function readMarkup(html: string, open: number, writer: TextWriter): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  const next = html[open + 1] ?? "";
  if (next === "!" || next === "?") return after(html, ">", open + 2);
  if (!/[a-zA-Z/]/.test(next)) {
    writer.text("<");
    return open + 1;
  }
  const end = after(html, ">", open + 1);
  const name = /^<\/?([a-zA-Z][\w-]{0,40})/.exec(html.slice(open, open + 44))?.[1]?.toLowerCase();
  if (name === undefined) return end;
  if (next === "/") writer.close(name);
  else if (name === "title") return readTitle(html, end, writer);
  else if (SKIPPED.has(name) && name !== "head") return skipElement(html, name, end);
  else writer.open(name, html.slice(open, Math.min(end, open + HREF_SEARCHED_CHARACTERS)));
  return end;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function readTitle(html: string, start: number, writer: TextWriter): number {
  const end = html.indexOf("<", start);
  writer.title(html.slice(start, end === -1 ? html.length : end));
  return end === -1 ? html.length : end;
}

/** Past the element's end tag; an element that never ends takes the rest of the page with it, as in a browser. */
function skipElement(html: string, name: string, from: number): number {
  const ends = new RegExp(`</${name}[\\s/>]`, "gi");
  ends.lastIndex = from;
  const found = ends.exec(html);
  return found ? after(html, ">", found.index) : html.length;
}

class TextWriter {
  readonly #base: string;
  readonly #parts: string[] = [];
  #title: string | null = null;
  #hrefs: string[] = [];
  #isPre = false;

  constructor(base: string) {
    this.#base = base;
  }

  title(html: string): void {
    this.#title ??= decodeEntities(html).replace(/\s+/g, " ").trim().slice(0, 500) || null;
  }

  text(html: string): void {
    if (html === "") return;
    const text = decodeEntities(html);
    this.#parts.push(this.#isPre ? text : text.replace(/\s+/g, " "));
  }

  open(name: string, tag: string): void {
    if (name === "pre") this.#isPre = true;
    if (BLOCKS.has(name)) this.#parts.push("\n");
    if (/^h[1-6]$/.test(name)) this.#parts.push(`\n${"#".repeat(Number(name[1]))} `);
    else if (name === "li") this.#parts.push("- ");
    else if (name === "td" || name === "th") this.#parts.push(" | ");
    else if (name === "a") this.#openLink(tag);
  }

  close(name: string): void {
    if (name === "pre") this.#isPre = false;
    if (BLOCKS.has(name)) this.#parts.push("\n");
    if (name !== "a") return;
    const href = this.#hrefs.pop();
    if (href) this.#parts.push(`](${href})`);
  }

  result(): PageText {
    const lines = this.#parts.join("").split("\n");
    const kept: string[] = [];
    for (const line of lines.map((text) => text.trimEnd().replace(/^ +(?=\S)/, ""))) {
      if (line !== "" || (kept.length > 0 && kept.at(-1) !== "")) kept.push(line);
    }
    return { title: this.#title, text: kept.join("\n").trim() };
  }

  #openLink(tag: string): void {
    const [, double, single, bare] = HREF.exec(tag) ?? [];
    const href = decodeEntities(double ?? single ?? bare ?? "").trim();
    const url = href !== "" && !href.startsWith("#") && URL.canParse(href, this.#base) ? new URL(href, this.#base) : null;
    const isShown = url !== null && (url.protocol === "http:" || url.protocol === "https:");
    // One entry for each open link, so that the ends match the starts; nesting is bounded.
    if (this.#hrefs.length < 100) this.#hrefs.push(isShown ? url.href : "");
    if (isShown) this.#parts.push("[");
  }
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}
