import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { capital, nameWords } from "./language";

/** Something that goes into an agent or comes out of it, by name. */
export interface NamedField {
  name: string;
  /** Null when the words do not say it. */
  type: "string" | "number" | "integer" | "boolean" | "array" | null;
  format: "date" | null;
  required: boolean;
}

const TYPES: [words: RegExp, type: NamedField["type"]][] = [
  [/^(?:text|string|date)$/i, "string"],
  [/^(?:number|decimal|amount)$/i, "number"],
  [/^(?:integer|int|whole number)$/i, "integer"],
  [/^(?:boolean|bool|yes\/no|true\/false)$/i, "boolean"],
  [/^(?:list|array)$/i, "array"],
];
const TYPE = "text|string|date|number|decimal|integer|int|boolean|bool|list|array";
const ITEM = new RegExp(
  `^(?:(?:an?|the|one)\\s+)?(?:(required|optional|mandatory)\\s+)?(?:(${TYPE})\\s+(?=\\S))?(?:input\\s+|field\\s+)?(?:(?:named|called)\\s+)?["“'\`]?([\\p{L}_][\\p{L}\\p{N}_-]{0,40})["”'\`]?(?:\\s*(?::|\\(|as an?|of type)\\s*["“]?(${TYPE})["”]?\\)?)?$`,
  "iu",
);

/** The fields of `city, date and amount (number)`; null when a part of it is none. */
function readList(text: string, required: boolean): NamedField[] | null {
  const parts = text
    .trim()
    .replace(/[.\s]+$/, "")
    .split(/\s*(?:,\s*(?:and\s+)?|;\s*|\band\b)\s*/i)
    .filter(Boolean);
  const fields = parts.map((part) => {
    const [, need, before, name, after] = ITEM.exec(part.replace(/^(.+?)\s*\((required|optional|mandatory)\)$/i, "$2 $1")) ?? [];
    if (name === undefined) return null;
    const said = before ?? after ?? (/(?:^|_)date$/i.test(name) ? "date" : "");
    const type = TYPES.find(([words]) => words.test(said))?.[1] ?? null;
    const isRequired = need === undefined ? required : need.toLowerCase() !== "optional";
    return { name, type, format: /^date$/i.test(said) ? ("date" as const) : null, required: isRequired };
  });
  return fields.length === 0 || fields.some((field) => field === null) ? null : fields.filter((field) => field !== null);
}

const ABOUT_OUTPUT = /\bjson\b|\boutput schema\b|\bstructured output\b|\bfields?\b.*\bin the (?:output|answer)\b/i;
const FIELDS_OUT = [
  /\{([^{}]{1,500})\}/,
  /\bfields?\s+(.+?)\s+in the (?:output|answer)\b/i,
  /\b(?:json|schema|output|object)\b[^,{}]{0,30}?\b(?:with|of|has|having|containing|holding)\s+(?:the\s+|just\s+)?(?:fields?|keys?|properties)?\s*:?\s*(.+)$/i,
];

/** What a clause says about the form of the answer: its fields, null when it speaks of none, `unclear` when they cannot be told. */
export function readOutput(clause: string): NamedField[] | "unclear" | null {
  if (!ABOUT_OUTPUT.test(clause)) return null;
  const list = FIELDS_OUT.map((pattern) => pattern.exec(clause)?.[1]).find(Boolean);
  return (list && readList(list, true)) || "unclear";
}

const FIELDS_IN = [
  /\binputs?\s*:?\s+(?:named\s+|called\s+)?(.+)$/i,
  /\b(?:takes?|accepts?|requires?|asks? for|needs?|add)\s+((?:an?\s+)?(?:(?:required|optional|mandatory)\b|(?:text|string|number|integer|date|boolean|list)\s+(?:input\s+)?(?:named|called)\b).+?)(?=,? and (?:describes?|returns?|answers?|tells?|gives?|writes?|reports?)\b|$)/i,
];
const GIVEN = /\bgiven (\p{Ll}[\p{Ll}-]{2,30})\b/u;

/** What a clause says that each run is given: named fields, null when it speaks of none, `unclear` when they cannot be told. */
export function readInputs(clause: string): NamedField[] | "unclear" | null {
  for (const pattern of FIELDS_IN) {
    const list = pattern.exec(clause)?.[1];
    const fields = list ? readList(list, /\brequired\b|\bmandatory\b/i.test(clause)) : null;
    if (fields !== null) return fields;
  }
  const given = GIVEN.exec(clause)?.[1];
  if (given && !/s$/.test(given)) return [{ name: given, type: "string", format: null, required: false }];
  return /\binputs?\b/i.test(clause) ? "unclear" : null;
}

/** A JSON Schema with the fields beside those that it has. */
export function withFields(schema: JsonObject, fields: readonly NamedField[]): JsonObject {
  const properties = fields.map(({ name, type, format }): [string, JsonObject] => [
    name,
    { ...(type && { type }), ...(format && { format }), title: capital(nameWords(name).join(" ")) },
  ]);
  const needed = fields.filter(({ required }) => required).map(({ name }) => name);
  const before = Array.isArray(schema.required) ? schema.required : [];
  const required = [...new Set([...before, ...needed])];
  const own = typeof schema.properties === "object" && !Array.isArray(schema.properties) ? schema.properties : {};
  return { type: "object", ...schema, properties: { ...own, ...Object.fromEntries(properties) }, ...(required.length > 0 && { required }) };
}
