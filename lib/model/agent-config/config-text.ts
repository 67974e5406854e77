import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type AgentConfig, agentConfigSchema } from "@/lib/model/agent-config/agent-config-schema";
import {
  type CheckAgentConfigOptions,
  checkAgentConfig,
} from "@/lib/model/agent-config/check-agent-config";
import { loadYaml, loadYamlInSteps } from "@/lib/model/agent-config/yaml/load-yaml";
import { plainOf } from "@/lib/model/agent-config/yaml/nodes";
import { patchYaml } from "@/lib/model/agent-config/yaml/patch-yaml";
import type { TextError } from "@/lib/model/agent-config/yaml/scan-yaml";
import { atOnce } from "@/lib/model/at-once";
import {
  ComplexityLimit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  sameJson,
} from "@/lib/model/json-schema/json-value";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";

/**
 * The YAML text that says exactly `config`, with its keys in the order of the documentation. A
 * config that `checkAgentConfig` let through always fits: where indentation would make the text too
 * long, it is written as JSON, which is YAML too.
 */
export function configToText(config: AgentConfig): string {
  const order = Object.keys(agentConfigSchema.shape);
  const entries = Object.entries(config).sort(
    ([left], [right]) => order.indexOf(left) - order.indexOf(right),
  );
  const document = new Document(Object.fromEntries(entries), {
    version: "1.2",
    aliasDuplicateObjects: false,
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return saysConfig(text, config)
    ? text
    : `${JSON.stringify(config)}\n`.slice(0, CONFIG_CONTENT_MAX_CHARACTERS);
}

/** Whether `text` can be read and says exactly `config`. */
export function saysConfig(text: string, config: AgentConfig): boolean {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  // A config is JSON; twice its 8,000 values bound the comparison.
  return loaded.ok && sameJson(loaded.value, config as JsonValue, new ComplexityLimit(100_000));
}

/** What `parseConfigText` answers: at most 20 errors, each with its place in the text. */
type ParsedConfigText = { ok: true; config: AgentConfig } | { ok: false; errors: TextError[] };

/**
 * Reads an agent config from YAML text, which may be hostile: cost and memory are bounded (see
 * `loadYaml`), and nothing is thrown. Errors of syntax have an empty `path`; errors of the schema
 * name it, and all have line and column.
 */
export function parseConfigText(
  text: string,
  options: CheckAgentConfigOptions = {},
): ParsedConfigText {
  return atOnce(parseConfigTextInSteps(text, options));
}

/** The same in small steps. */
export function* parseConfigTextInSteps(
  text: string,
  options: CheckAgentConfigOptions = {},
): Generator<void, ParsedConfigText, void> {
  const loaded = yield* loadYamlInSteps(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok) return loaded;
  yield;
  const checked = checkAgentConfig(loaded.value, options);
  if (checked.ok) return checked;
  return { ok: false, errors: checked.issues.map(loaded.errorAt) };
}

const PADDED = /[{[] [^\s]/;

/**
 * The YAML text that says exactly `config`, made from `oldText`: what stays the same stays byte for
 * byte, comments, order, quotes and spaces, and a text that says it already comes back untouched.
 * Where that cannot be done in place, comments and the order of keys stay. A text that cannot be
 * read, or whose rewriting would say anything else, is replaced by a fresh one. The answer always
 * fits the limits of `parseConfigText`.
 */
export function rewriteConfigText(oldText: string, config: AgentConfig): string {
  if (saysConfig(oldText, config)) return oldText;
  const read = loadYaml(oldText, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  // A config is JSON.
  const patched = read.ok ? patchYaml(oldText, read.document, config as JsonValue) : null;
  if (patched !== null && saysConfig(patched, config)) return patched;
  const loaded = loadYaml(oldText.replaceAll("\r\n", "\n"), {
    maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS,
  });
  if (!loaded.ok) return configToText(config);
  // A config is JSON.
  mergeIntoYaml(loaded.document, config as JsonValue);
  const text = loaded.document.toString({
    lineWidth: 0,
    flowCollectionPadding: PADDED.test(oldText),
  });
  return saysConfig(text, config) ? text : configToText(config);
}

/**
 * Makes a document say `value`, changing no more of its tree than it must: comments, order and
 * quotes of the rest stay.
 */
function mergeIntoYaml(document: Document, value: JsonValue): void {
  document.contents = merge(document, document.contents, value);
}

function merge(document: Document, node: unknown, value: JsonValue): Node {
  if (isMap(node) && isJsonObject(value)) return mergeMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return mergeList(document, node, value);
  if (isScalar(node) && node.value === value) return node;
  return replace(document, node, value);
}

function mergeMap(document: Document, map: YAMLMap, value: JsonObject): Node {
  if (map.flow && Object.keys(value).length > 0 && map.items.length === 0) map.flow = false;
  map.items = map.items.filter(
    ({ key }) => isScalar(key) && Object.hasOwn(value, String(key.value)),
  );
  const named = new Set(map.items.map(({ key }) => (isScalar(key) ? String(key.value) : "")));
  for (const pair of map.items) {
    const wanted = isScalar(pair.key) ? value[String(pair.key.value)] : undefined;
    // A key without anything behind it says null already.
    if (wanted !== undefined && !(pair.value === null && wanted === null))
      pair.value = merge(document, pair.value, wanted);
  }
  for (const [key, wanted] of Object.entries(value)) {
    if (!named.has(key))
      map.items.push(document.createPair(key, wanted, { aliasDuplicateObjects: false }));
  }
  return map;
}

/**
 * Items keep their nodes, and so their comments, when they are equal, when they carry the same
 * name, or else the same place.
 */
function mergeList(document: Document, list: YAMLSeq, value: JsonValue[]): Node {
  if (list.flow && list.items.length === 0 && value.some((item) => typeof item === "object"))
    list.flow = false;
  const left = new Set(list.items);
  const same = keyed(list.items, (node) => JSON.stringify(plainOf(node)));
  const byName = keyed(list.items, (node) => nameOf(plainOf(node)));
  const take = (node: unknown) => (left.delete(node) ? node : undefined);
  const kept = value.map((item) => take(same.get(JSON.stringify(item))));
  const found = value.map((item, index) => kept[index] ?? take(byName.get(nameOf(item) ?? "")));
  list.items = value.map((item, index) => {
    const node =
      found[index] ?? (isSamePlace(list.items, value, index) ? take(list.items[index]) : undefined);
    return node === undefined ? create(document, item) : merge(document, node, item);
  });
  return list;
}

/**
 * Lists of one length are taken to have changed in place, unless the items have names, and other
 * ones.
 */
function isSamePlace(nodes: unknown[], value: JsonValue[], index: number): boolean {
  return (
    nodes.length === value.length &&
    nameOf(value[index]) === null &&
    nameOf(plainOf(nodes[index])) === null
  );
}

function keyed(nodes: unknown[], keyOf: (node: unknown) => string | null): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const node of nodes) {
    const key = keyOf(node);
    if (key !== null && !map.has(key)) map.set(key, node);
  }
  return map;
}

function nameOf(value: unknown): string | null {
  return typeof value === "object" &&
    value !== null &&
    "name" in value &&
    typeof value.name === "string"
    ? value.name
    : null;
}

function create(document: Document, value: JsonValue): Node {
  return document.createNode(value, { aliasDuplicateObjects: false });
}

function replace(document: Document, old: unknown, value: JsonValue): Node {
  const node = create(document, value);
  if (!isScalar(old) && !isMap(old) && !isSeq(old)) return node;
  node.commentBefore = old.commentBefore;
  node.comment = old.comment;
  node.spaceBefore = old.spaceBefore;
  const keepsQuotes =
    isScalar(old) && typeof old.value === "string" && typeof value === "string" && isScalar(node);
  if (keepsQuotes && old.type !== Scalar.PLAIN) node.type = old.type;
  return node;
}
