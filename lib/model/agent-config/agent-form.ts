import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

/**
 * The form: an agent's settings as lines of `key: value`, in a request that an agent is made or
 * changed by. It is a short way to write the config and no second notion of one: a value becomes
 * what the config would hold, and `checkAgentConfig` says whether it may.
 */

/** The parts of an agent that the form sets. */
export interface FormAgent {
  name: string;
  description: string;
  writeAutonomy: string;
  config: JsonObject;
}

export interface FormOptions {
  /** As `checkAgentConfig` takes it; without it models are not looked up. */
  isKnownModel?: (model: string) => boolean;
}

/** What became of a line. */
export type FormResult = { ok: true; agent: FormAgent } | { ok: false; problem: string };

/** How a value is written. */
type Kind = "text" | "value" | "names" | "texts" | "fields" | "tools";

interface Setting {
  /** As the documentation writes it. */
  key: string;
  /** Where it stands in the config, or the field of the agent. */
  path: readonly string[];
  kind: Kind;
}

const setting = (key: string, path: string, kind: Kind): Setting => ({
  key,
  path: path.split("."),
  kind,
});

/** In the order in which they are documented. */
const SETTINGS = [
  setting("name", "name", "text"),
  setting("description", "description", "text"),
  setting("inputs", "inputs", "fields"),
  setting("output", "output_schema", "fields"),
  setting("tools", "tools.builtin", "tools"),
  setting("allowed_hosts", "tools.web.allowed_hosts", "names"),
  setting("ask before", "permissions.ask", "names"),
  setting("never call", "permissions.deny", "names"),
  setting("may call", "permissions.allow", "names"),
  setting("write_autonomy", "write_autonomy", "text"),
  setting("model", "model", "text"),
  setting("fallback_models", "fallback_models", "names"),
  setting("temperature", "model_settings.temperature", "value"),
  setting("max_output_tokens", "model_settings.max_output_tokens", "value"),
  setting("reasoning", "model_settings.reasoning", "text"),
  setting("max_steps", "limits.max_steps", "value"),
  setting("timeout_seconds", "limits.timeout_seconds", "value"),
  setting("max_credits", "limits.max_credits", "value"),
  setting("approval_timeout_seconds", "limits.approval_timeout_seconds", "value"),
  setting("starters", "starters", "texts"),
] as const;

/** The keys of the form as the documentation writes them. */
export const FORM_KEYS: readonly string[] = SETTINGS.map(({ key }) => key);

/** A setting answers to its key and to its place in the config. */
const BY_KEY: ReadonlyMap<string, Setting> = new Map(
  SETTINGS.flatMap((one): [string, Setting][] => [
    [plainKey(one.key), one],
    [plainKey(one.path.join(".")), one],
  ]),
);
const KEY_MAX_CHARACTERS = 60;

/** A key is the same in capitals, and with spaces or hyphens for `_`. */
function plainKey(key: string): string {
  return key.trim().toLowerCase().replaceAll(" ", "_").replaceAll("-", "_");
}

/** A line that has the look of the form, whether or not its value fits. */
export interface FormLine {
  /** As the documentation writes it. */
  key: string;
  value: string;
}

/** Reads a line that begins with a key of the form and a colon; null for any other. */
export function readFormLine(line: string): FormLine | null {
  const colon = line.slice(0, KEY_MAX_CHARACTERS).indexOf(":");
  if (colon < 1 || line.charAt(0).trim() === "") return null;
  return formLineOf(line.slice(0, colon), line.slice(colon + 1));
}

/** The line of a key and a value that were found apart; null where the form has no such key. */
export function formLineOf(key: string, value: string): FormLine | null {
  const found = BY_KEY.get(plainKey(key));
  return found ? { key: found.key, value: value.trim() } : null;
}

/** Takes a setting away, so that the default counts. */
export const DEFAULT_VALUE = "default";

/** Puts what a line says into an agent, or says in a sentence why it may not be there. */
export function applyFormLine(
  agent: FormAgent,
  { key, value }: FormLine,
  { isKnownModel }: FormOptions = {},
): FormResult {
  const found = BY_KEY.get(plainKey(key));
  if (!found) return no(`The form has no key ${key}.`);
  if (value === "") return no(`${key} has no value on its line.`);
  if (found.path.length === 1 && found.path[0] !== undefined) {
    if (found.path[0] === "name") return applyName(agent, unquoted(value));
    if (found.path[0] === "description") return applyDescription(agent, unquoted(value));
    if (found.path[0] === "write_autonomy") return applyAutonomy(agent, value);
  }
  const read = readValue(found, value);
  if (!read.ok) return read;
  const config = read.parts.reduce(
    (before, { path, value: part }) => withPart(before, path, part),
    agent.config,
  );
  const checked = checkAgentConfig(config, isKnownModel ? { isKnownModel } : {});
  const [issue] = checked.ok ? [] : checked.issues;
  return issue
    ? no(`${[...issue.path].join(".")}: ${issue.message}`)
    : { ok: true, agent: { ...agent, config } };
}

function no(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

function applyName(agent: FormAgent, name: string): FormResult {
  return name === "" || name.length > NAME_MAX_CHARACTERS
    ? no(`name: has 1 to ${NAME_MAX_CHARACTERS} characters.`)
    : { ok: true, agent: { ...agent, name } };
}

function applyDescription(agent: FormAgent, description: string): FormResult {
  return description.length > DESCRIPTION_MAX_CHARACTERS
    ? no(`description: has at most ${DESCRIPTION_MAX_CHARACTERS} characters.`)
    : { ok: true, agent: { ...agent, description } };
}

function applyAutonomy(agent: FormAgent, value: string): FormResult {
  const found = WRITE_AUTONOMIES.find((one) => one === value.toLowerCase());
  return found
    ? { ok: true, agent: { ...agent, writeAutonomy: found } }
    : no(`write_autonomy: must be one of ${WRITE_AUTONOMIES.join(", ")}.`);
}

/** A place of the config and what stands there; undefined takes it away. */
interface Part {
  path: readonly string[];
  value: JsonValue | undefined;
}

type ReadParts = { ok: true; parts: Part[] } | { ok: false; problem: string };

const MEMORY = "memory";

function readValue({ key, path, kind }: Setting, value: string): ReadParts {
  if (value.toLowerCase() === DEFAULT_VALUE) {
    const memory = kind === "tools" ? [{ path: ["tools", MEMORY], value: undefined }] : [];
    return { ok: true, parts: [{ path, value: undefined }, ...memory] };
  }
  const one = (read: JsonValue): ReadParts => ({ ok: true, parts: [{ path, value: read }] });
  if (kind === "value") return one(scalarOf(value));
  if (kind === "names") return one(listOf(value, ","));
  if (kind === "texts") return one(listOf(value, ";"));
  if (kind === "text") return one(unquoted(value));
  if (kind === "tools") {
    const names = value.toLowerCase() === "none" ? [] : listOf(value, ",");
    const builtin = names.filter((name) => name !== MEMORY);
    const memory = names.includes(MEMORY) ? true : undefined;
    return {
      ok: true,
      parts: [
        { path, value: builtin },
        { path: ["tools", MEMORY], value: memory },
      ],
    };
  }
  const fields = readFields(key, value);
  return fields.ok ? one(fields.schema) : fields;
}

/** A number where the text is one as JSON writes it, else the text. */
function scalarOf(text: string): JsonValue {
  const value = Number(text);
  return text !== "" && Number.isFinite(value) && String(value) === text ? value : fromJson(text);
}

function fromJson(text: string): JsonValue {
  if (text === "null") return null;
  const digits = [...text].every((sign) => "0123456789.".includes(sign));
  return digits && text !== "." && Number.isFinite(Number(text)) ? Number(text) : text;
}

const QUOTES = [
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["'", "'"],
  ["‘", "’"],
] as const;

/** A text without the quotes around it, where it stands in one pair. */
export function unquoted(text: string): string {
  const bare = text.trim();
  const pair = QUOTES.find(
    ([open, close]) => bare.length > 1 && bare.startsWith(open) && bare.endsWith(close),
  );
  if (!pair) return bare;
  const inner = bare.slice(1, -1);
  return inner.includes(pair[0]) || inner.includes(pair[1]) ? bare : inner.trim();
}

function listOf(text: string, separator: "," | ";"): string[] {
  return text
    .split(separator)
    .map(unquoted)
    .filter((item) => item !== "");
}

function withPart(
  config: JsonObject,
  [key, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  if (key === undefined) return config;
  const { [key]: before, ...others } = config;
  if (rest.length === 0) return value === undefined ? others : { ...config, [key]: value };
  const inner = withPart(isJsonObject(before) ? before : {}, rest, value);
  return Object.keys(inner).length === 0 && before === undefined
    ? others
    : { ...config, [key]: inner };
}

interface Field {
  name: string;
  marks: string[];
}

type ReadFields = { ok: true; schema: JsonObject } | { ok: false; problem: string };

/** `year (integer, required), region, kind (a | b, "what it is")` as a JSON Schema. */
function readFields(key: string, text: string): ReadFields {
  const fields = splitFields(text);
  if (typeof fields === "string") return no(`${key}: ${fields}`);
  if (fields.length === 0) return no(`${key}: names no field.`);
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  const seen = new Set<string>();
  for (const { name, marks } of fields) {
    if (!isFieldName(name))
      return no(`${key}: “${name}” is no name of a field: letters, digits, _ and - make one.`);
    if (seen.has(name)) return no(`${key}: ${name} stands there twice.`);
    seen.add(name);
    const schema = fieldSchema(marks);
    if (typeof schema === "string") return no(`${key}: ${name}: ${schema}`);
    properties.push([name, schema]);
    if (marks.includes("required")) required.push(name);
  }
  return {
    ok: true,
    schema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    },
  };
}

function isFieldName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name);
}

/**
 * The schema of one field, or what is wrong with its marks. The types are the checker's to judge.
 */
function fieldSchema(marks: readonly string[]): JsonObject | string {
  const rest = marks.filter((mark) => mark !== "required" && mark !== "optional");
  const texts = rest.filter((mark) => unquoted(mark) !== mark);
  const choices = rest.filter((mark) => mark.includes("|") && !texts.includes(mark));
  const types = rest.filter((mark) => !texts.includes(mark) && !choices.includes(mark));
  if (texts.length > 1 || choices.length > 1 || types.length > 1)
    return "one type, one list of choices and one description are what its brackets hold.";
  const kinds = (types[0] ?? "string").split(" or ").map((kind) => kind.trim());
  const type = kinds.length === 1 ? (kinds[0] ?? "string") : kinds;
  const isNumber = type === "number" || type === "integer";
  const values = (choices[0] ?? "").split("|").map(unquoted);
  const given = isNumber ? values.map(scalarOf) : values;
  return {
    type,
    ...(choices.length > 0 && { enum: given }),
    ...(texts[0] !== undefined && { description: unquoted(texts[0]) }),
  };
}

/** Names with the marks in their brackets; a sentence where brackets or quotes do not fit. */
function splitFields(text: string): Field[] | string {
  const items = splitOutside(text);
  if (items === null) return "a bracket or quote stays open.";
  const fields: Field[] = [];
  for (const item of items) {
    const bracket = item.indexOf("(");
    if (bracket >= 0 && !item.endsWith(")"))
      return `“${item.slice(item.lastIndexOf(")") + 1).trim()}” stands behind the brackets.`;
    const marks = bracket < 0 ? [] : splitOutside(item.slice(bracket + 1, -1));
    if (marks === null) return "a bracket or quote stays open.";
    fields.push({ name: (bracket < 0 ? item : item.slice(0, bracket)).trim(), marks });
  }
  return fields;
}

/**
 * The parts between commas or semicolons that stand in no brackets and no quotes, trimmed; null
 * where one stays open. A quote opens only at the beginning of a part: elsewhere it is an
 * apostrophe.
 */
function splitOutside(text: string): string[] | null {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let close = "";
  let isBegun = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (close !== "") close = sign === close ? "" : close;
    else if ((sign === "," || sign === ";") && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    } else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (!isBegun) close = QUOTES.find(([open]) => open === sign)?.[1] ?? "";
    if (depth < 0) return null;
    isBegun = !(",;(".includes(sign) || (sign.trim() === "" && !isBegun));
  }
  if (depth > 0 || close !== "") return null;
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== "");
}

/** A request with lines of the form behind it; a value that is empty makes none. */
export function withFormLines(request: string, values: { readonly [key: string]: string }): string {
  const lines = Object.entries(values).flatMap(([key, value]) => {
    // What a field holds is one line.
    const bare = value.replaceAll("\r", " ").replaceAll("\n", " ").trim();
    return bare === "" ? [] : [`${key}: ${bare}`];
  });
  return lines.length === 0 ? request : `${request.trimEnd()}\n\n${lines.join("\n")}`;
}
