import { Document, isMap, isScalar, isSeq } from "yaml";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** Two lists of more items than this in product are not compared. */
const COMPARISONS_MAX = 250_000;

/** An item of the old list, of the new one, or of both. */
export interface ItemStep {
  old: number | null;
  now: number | null;
}

/**
 * Which item became which, in order: equal ones, those of one name, and between them those of the
 * same place that have none. Null for lists that are too long.
 */
export function alignItems(
  nodes: readonly unknown[],
  value: readonly JsonValue[],
): ItemStep[] | null {
  if (nodes.length * value.length > COMPARISONS_MAX) return null;
  const [left, right] = [nodes.map(plainOf).map(keyOf), value.map(keyOf)];
  // lengths[i][j]: how many pair up of what follows i and j.
  const lengths = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row)
        row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const steps: ItemStep[] = [];
  let [gone, come]: [number[], number[]] = [[], []];
  const close = () => {
    const isPaired = (index: number) =>
      gone.length === come.length &&
      !left[gone[index] ?? 0]?.startsWith("name:") &&
      !right[come[index] ?? 0]?.startsWith("name:");
    const paired = gone.map((_, index) => isPaired(index));
    steps.push(
      ...gone.map((old, index) => ({ old, now: paired[index] ? (come[index] ?? null) : null })),
    );
    steps.push(...come.filter((_, index) => !paired[index]).map((now) => ({ old: null, now })));
    [gone, come] = [[], []];
  };
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      close();
      steps.push({ old: i++, now: j++ });
    } else if (j >= right.length || (i < left.length && at(i + 1, j) >= at(i, j + 1)))
      gone.push(i++);
    else come.push(j++);
  }
  close();
  return steps;
}

function keyOf(value: unknown): string {
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : null;
  return typeof name === "string" ? `name:${name}` : `value:${JSON.stringify(value)}`;
}

/** The value of a node of plain data. */
export function plainOf(node: unknown): unknown {
  if (isScalar(node)) return node.value === undefined ? null : node.value;
  if (isSeq(node)) return node.items.map(plainOf);
  if (isMap(node))
    return Object.fromEntries(
      node.items.map(({ key, value }) => [isScalar(key) ? String(key.value) : "", plainOf(value)]),
    );
  return null;
}

/** Where the text of a node begins and ends; null for one that was not parsed. */
export function rangeOf(node: unknown): [number, number] | null {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" && typeof range[1] === "number"
    ? [range[0], range[1]]
    : null;
}

/** How a text is quoted; null: as YAML needs it. */
export type Quote = "'" | '"' | null;

/** A value on lines of its own. */
export function blockText(value: JsonValue): string {
  return write(value, "any");
}

/** A value within a line. */
export function inlineText(
  value: JsonValue,
  { isJson, quote }: { isJson: boolean; quote: Quote },
): string {
  if (isJson || (quote === '"' && typeof value === "string")) return JSON.stringify(value);
  if (quote === "'" && typeof value === "string" && !/[\n\r\t]/.test(value))
    return `'${value.replaceAll("'", "''")}'`;
  return withoutBrackets(write([value], "flow"));
}

export function inlinePair(key: string, value: JsonValue, isJson: boolean): string {
  return isJson
    ? `${JSON.stringify(key)}: ${JSON.stringify(value)}`
    : withoutBrackets(write({ [key]: value }, "flow"));
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function write(value: JsonValue, collectionStyle: "any" | "flow"): string {
  const document = new Document(value, { version: "1.2", aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, collectionStyle });
}

function withoutBrackets(text: string): string {
  return text.trim().slice(1, -1).trim();
}

/** Both have something, or neither: else `{}` or `[]` is written, or goes. */
export function hasBoth(left: number, right: number): boolean {
  return left > 0 === right > 0;
}

export function isPlain(value: JsonValue): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

export function isFlow(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

/** Whether a node is written over lines of its own. */
export function isBlock(node: unknown): boolean {
  if (isMap(node) || isSeq(node)) return !node.flow;
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}
