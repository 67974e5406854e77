import { type Document, isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import {
  alignItems,
  blockText,
  hasBoth,
  type ItemStep,
  inlinePair,
  inlineText,
  isBlock,
  isFlow,
  isJsonText,
  isPlain,
  plainOf,
  type Quote,
  rangeOf,
} from "@/lib/model/agent-config/yaml/nodes";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** Some text in place of `from` to before `to`. */
interface Patch {
  from: number;
  to: number;
  text: string;
}

/** Thrown at what cannot be changed in place: the caller writes the text in another way. */
class Unpatchable extends Error {}

/**
 * The text of a YAML document with no more of it changed than must be for it to say `value`: every
 * byte beside stays, comments, order, quotes and spaces.
 * Null where that cannot be done in place. The caller must see whether the outcome says `value`:
 * this works on the places that the parser gave.
 * @param document as it was parsed from `source`, of plain data only
 */
export function patchYaml(source: string, document: Document, value: JsonValue): string | null {
  const patcher = new Patcher(source);
  try {
    patcher.change(document.contents, value, null);
  } catch (error) {
    if (error instanceof Unpatchable) return null;
    throw error;
  }
  return patcher.outcome();
}

class Patcher {
  readonly #source: string;
  readonly #eol: string;
  /** A text that is JSON stays JSON. */
  readonly #isJson: boolean;
  readonly #patches: Patch[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#eol = source.includes("\r\n") ? "\r\n" : "\n";
    this.#isJson = isJsonText(source);
  }

  /** Null when two changes are of the same place. */
  outcome(): string | null {
    let text = "";
    let at = 0;
    // Insertions at one place keep their order.
    for (const { from, to, text: put } of this.#patches.toSorted((a, b) => a.from - b.from)) {
      if (from < at) return null;
      text += this.#source.slice(at, from) + put;
      at = to;
    }
    return text + this.#source.slice(at);
  }

  /** @param pair the one whose value the node is; null in a list, and at the top */
  change(node: unknown, value: JsonValue, holder: { pair: Pair; map: YAMLMap } | null): void {
    if (isMap(node) && isJsonObject(value) && hasBoth(node.items.length, Object.keys(value).length))
      this.#changeMap(node, value);
    else if (isSeq(node) && Array.isArray(value) && hasBoth(node.items.length, value.length))
      this.#changeList(node, value);
    else if (JSON.stringify(plainOf(node)) !== JSON.stringify(value))
      this.#replace(node, value, holder);
  }

  #replace(node: unknown, value: JsonValue, holder: { pair: Pair; map: YAMLMap } | null): void {
    const [from, to] = rangeOf(node) ?? [0, 0];
    const isInline = from < to && !isBlock(node);
    if (isInline && (isPlain(value) || isFlow(node) || (holder && isFlow(holder.map))))
      this.#put(from, to, this.#inline(value, this.#quoteOf(node)));
    else if (holder && !isFlow(holder.map)) this.#rewritePair(holder.pair, holder.map, value);
    else throw new Unpatchable();
  }

  #changeMap(map: YAMLMap, value: JsonObject): void {
    const wanted = (pair: Pair) => (isScalar(pair.key) ? String(pair.key.value) : "");
    const kept = map.items.filter((pair) => Object.hasOwn(value, wanted(pair)));
    const isKept = new Set(kept);
    const known = new Set(kept.map(wanted));
    const added = Object.entries(value).filter(([key]) => !known.has(key));
    if (kept.length === 0) throw new Unpatchable();
    for (const pair of kept) this.change(pair.value, value[wanted(pair)] ?? null, { pair, map });
    if (map.flow) {
      this.#removeFlow(
        map.items.map((pair) => [startOf(pair.key), this.#endOf(pair)]),
        map.items.map((pair) => isKept.has(pair)),
      );
      const text = added.map(([key, item]) => inlinePair(key, item, this.#isJson));
      this.#addFlow(
        map.items.map((pair) => this.#endOf(pair)),
        kept.length,
        text,
      );
      return;
    }
    const column = this.#columnOf(startOf(map.items[0]?.key));
    for (const [index, pair] of map.items.entries())
      if (!isKept.has(pair))
        this.#removeLines(startOf(pair.key), this.#endOf(pair), column, index === 0);
    const end = this.#endOf(map.items.at(-1) as Pair); // some were kept
    this.#insertLines(end, added.map(([key, item]) => this.#blockPair(key, item, column)).join(""));
  }

  #changeList(list: YAMLSeq, value: JsonValue[]): void {
    const steps = alignItems(list.items, value);
    if (!steps) throw new Unpatchable();
    if (list.flow) this.#changeFlowList(list, value, steps);
    else this.#changeBlockList(list, value, steps);
  }

  #changeBlockList(list: YAMLSeq, value: JsonValue[], steps: ItemStep[]): void {
    const column = this.#columnOf(startOf(list));
    const written = new Map(list.items.map((item) => [JSON.stringify(plainOf(item)), item]));
    let after = -1;
    for (const { old, now } of steps) {
      const node = old === null ? undefined : list.items[old];
      if (old !== null && now !== null) this.change(node, value[now] ?? null, null);
      else if (old !== null) {
        const dash = this.#dashOf(node, column);
        // The text before the first item on its line is its list's key, or another list's dash.
        this.#removeLines(dash, this.#endOfNode(node), column, old === 0);
      } else if (now !== null) {
        const text = this.#blockItem(written, value[now] ?? null, column);
        if (after < 0) this.#put(this.#lineStart(this.#dashOf(list.items[0], column)), null, text);
        else this.#insertLines(this.#endOfNode(list.items[after]), text);
      }
      if (old !== null) after = old;
    }
  }

  #changeFlowList(list: YAMLSeq, value: JsonValue[], steps: ItemStep[]): void {
    const kept = steps.filter(({ old, now }) => old !== null && now !== null);
    const lastKept = steps.findLastIndex(({ old }) => old !== null);
    // In front of another item is no place for a comma that is there already.
    if (kept.length === 0 || steps.some(({ old }, index) => old === null && index < lastKept)) {
      const [from, to] = rangeOf(list) ?? [0, 0];
      this.#put(from, to, this.#inline(value));
    } else this.#changeFlowItems(list, value, steps);
  }

  #changeFlowItems(list: YAMLSeq, value: JsonValue[], steps: ItemStep[]): void {
    const kept = steps.filter(({ old, now }) => old !== null && now !== null);
    for (const { old, now } of kept)
      this.change(list.items[old ?? 0], value[now ?? 0] ?? null, null);
    const ends = list.items.map((item) => this.#endOfNode(item));
    const isKept = list.items.map((_, index) => kept.some(({ old }) => old === index));
    this.#removeFlow(
      list.items.map((item, index) => [startOf(item), ends[index] ?? 0]),
      isKept,
    );
    const added = steps.flatMap(({ old, now }) =>
      old === null && now !== null ? [this.#inline(value[now] ?? null)] : [],
    );
    this.#addFlow(ends, kept.length, added);
  }

  /** Takes items out of a flow collection, each with the comma on its one side. */
  #removeFlow(places: [number, number][], isKept: boolean[]): void {
    const firstKept = isKept.indexOf(true);
    for (const [index, [from, to]] of places.entries()) {
      if (isKept[index]) continue;
      if (firstKept >= 0 && firstKept < index) this.#put(places[index - 1]?.[1] ?? from, to, "");
      else this.#put(from, places[index + 1]?.[0] ?? to, "");
    }
  }

  #addFlow(ends: number[], kept: number, added: string[]): void {
    const end = ends.at(-1);
    if (added.length === 0) return;
    if (end === undefined || kept === 0) throw new Unpatchable();
    this.#put(end, null, added.map((text) => `, ${text}`).join(""));
  }

  /** Writes a pair of a block map anew from its colon on; its key stays as it is written. */
  #rewritePair(pair: Pair, map: YAMLMap, value: JsonValue): void {
    const [from, to] = rangeOf(pair.key) ?? [0, 0];
    const end = this.#endOf(pair);
    const key = this.#source.slice(from, to);
    if (key.includes("\n")) throw new Unpatchable();
    const text = this.#blockPair(
      "k",
      value,
      this.#columnOf(startOf(map.items[0]?.key)),
    ).trimStart();
    this.#put(
      to,
      end,
      this.#source[end - 1] === "\n" ? text.slice(1) : text.slice(1).replace(/\r?\n$/, ""),
    );
  }

  #blockPair(key: string, value: JsonValue, column: number): string {
    return this.#indented(blockText({ [key]: value }), column);
  }

  /** A new item of a list; one that stood elsewhere in it as it was written there. */
  #blockItem(written: ReadonlyMap<string, unknown>, value: JsonValue, column: number): string {
    const moved = written.get(JSON.stringify(value));
    if (moved === undefined) return this.#indented(blockText([value]), column);
    const dash = this.#dashOf(moved, column);
    const [from, to] = [this.#commentStart(dash, column), this.#lineEnd(this.#endOfNode(moved))];
    const text = this.#source.slice(from, to);
    return text.endsWith("\n") ? text : text + this.#eol;
  }

  #indented(text: string, column: number): string {
    const indent = " ".repeat(column);
    return text
      .trimEnd()
      .split("\n")
      .map((line) => (line === "" ? this.#eol : indent + line + this.#eol))
      .join("");
  }

  #inline(value: JsonValue, quote: Quote = null): string {
    return inlineText(value, { isJson: this.#isJson, quote });
  }

  #quoteOf(node: unknown): Quote {
    const first = this.#source[startOf(node)];
    return first === "'" || first === '"' ? first : null;
  }

  /**
   * Takes whole lines out, with the comment right above them: that is about them, but above the
   * first it may be about all.
   */
  #removeLines(from: number, end: number, column: number, isFirst: boolean): void {
    const start = this.#lineStart(from);
    if (this.#source.slice(start, from).trim() !== "") throw new Unpatchable();
    this.#put(isFirst ? start : this.#commentStart(from, column), this.#lineEnd(end), "");
  }

  #insertLines(end: number, text: string): void {
    if (text === "") return;
    const at = this.#lineEnd(end);
    this.#put(
      at,
      null,
      this.#source[at - 1] === "\n" ? text : this.#eol + text.replace(/\r?\n$/, ""),
    );
  }

  #commentStart(from: number, column: number): number {
    let start = this.#lineStart(from);
    for (;;) {
      const before = this.#source.lastIndexOf("\n", start - 2) + 1;
      const line = this.#source.slice(before, start);
      if (start === 0 || line.search(/\S/) !== column || line[column] !== "#") return start;
      start = before;
    }
  }

  #put(from: number, to: number | null, text: string): void {
    this.#patches.push({ from, to: to ?? from, text });
  }

  #lineStart(at: number): number {
    return this.#source.lastIndexOf("\n", at - 1) + 1;
  }

  /** Behind the end of the line on which what ends at `end` ends. */
  #lineEnd(end: number): number {
    if (end > 0 && this.#source[end - 1] === "\n") return end;
    const at = this.#source.indexOf("\n", end);
    return at < 0 ? this.#source.length : at + 1;
  }

  #columnOf(at: number): number {
    return at - this.#lineStart(at);
  }

  /** The dash of an item, in its list's column on the line of the item or above it. */
  #dashOf(item: unknown, column: number): number {
    for (let line = this.#lineStart(startOf(item)); ; line = this.#lineStart(line - 1)) {
      if (
        this.#source[line + column] === "-" &&
        this.#source.slice(line, line + column).trim() === ""
      )
        return line + column;
      if (line === 0) throw new Unpatchable();
    }
  }

  #endOf({ key, value }: Pair): number {
    const range = rangeOf(value);
    if (range && range[0] < range[1]) return this.#endOfNode(value);
    const colon = this.#source.indexOf(":", rangeOf(key)?.[1] ?? 0);
    return colon < 0 ? (rangeOf(key)?.[1] ?? 0) : colon + 1;
  }

  /** Where the text of a node ends, without the comments and blank lines after it. */
  #endOfNode(node: unknown): number {
    if (isMap(node) && !node.flow && node.items.length > 0)
      return this.#endOf(node.items.at(-1) as Pair); // it has one
    if (isSeq(node) && !node.flow && node.items.length > 0)
      return this.#endOfNode(node.items.at(-1));
    const range = rangeOf(node);
    if (!range || range[0] === range[1]) throw new Unpatchable();
    return range[1];
  }
}

function startOf(node: unknown): number {
  const range = rangeOf(node);
  if (!range) throw new Unpatchable();
  return range[0];
}
