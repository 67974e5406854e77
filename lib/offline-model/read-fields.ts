import "server-only";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { capital, nameWords } from "./language";

/** Something that goes into an agent or comes out of it, by name. */
export interface NamedField {
  name: string;
  /** Null when the words do not say it. */
  type: "string" | "number" | "integer" | "boolean" | "array" | null;
  format: "date" | null;
  /** The only values that it has; null when the words name none. */
  values: string[] | null;
  required: boolean;
  /** What was said of it beside that. */
  note?: string;
  /** Its least and its greatest value. */
  range?: readonly [number, number];
  isNullable?: true;
  /** Whether it was said that it may be left out. */
  isOptional?: true;
  /** What holds where it is not given, as it was said. */
  default?: string;
}

const TYPES: [words: RegExp, type: NamedField["type"]][] = [
  [/^(?:text|string|date)$/i, "string"],
  [/^(?:number|decimal)$/i, "number"],
  [/^(?:integer|int|whole number)$/i, "integer"],
  [/^(?:boolean|bool|yes\/no|true\/false)$/i, "boolean"],
  [/^(?:list|array)$/i, "array"],
];
const TYPE = "text|string|date|number|decimal|integer|int|whole number|boolean|bool|list|array";
const ITEM = new RegExp(
  `^(?:(?:an?|the|one)\\s+)?(?:(required|optional|mandatory)\\s+)?(?:(${TYPE})\\s+(?=\\S))?(?:input\\s+|field\\s+)?(?:(?:named|called)\\s+)?["“'\`]?([\\p{L}_][\\p{L}\\p{N}_-]{0,40})["”'\`]?(?:\\s*(?::|\\(|as|of type)\\s*(?:an?\\s+)?["“]?(${TYPE})["”]?\\)?)?$`,
  "iu",
);

/** `risk (low, medium or high)`, `risk (one of …)`. */
const VALUES =
  /\s*\(\s*([^()]{1,140}(?:\s+or\s+|\/)[^()]{1,60})\)$|\s*(?:\(|:)?\s*\b(?:one of|either|is one of)\s+([^()]{3,200})\)?$/i;

const SCALE = /\s*\(?\b(?:from|between)\s+-?[\d.]+\s+(?:to|and)\s+-?[\d.]+\)?$/i;

/** `practice, a text that is optional`: the type of the name before. */
const OF_ONE_BEFORE = new RegExp(
  `,\\s+(?:which is |it is )?an?\\s+(${TYPE})(?:\\s+(?:that|which) is (optional|required|mandatory))?(?=\\s*(?:,|;|$))`,
  "gi",
);

/** The parts of `city, date and risk (one of low, medium)`, which stay whole within brackets. */
function partsOf(text: string): string[] {
  const masked = text
    .trim()
    .replace(/[.\s]+$/, "")
    .replace(/\([^()]*\)|\bbetween\s+-?[\d.]+\s+and\s+-?[\d.]+/gi, (inner) =>
      inner.replace(/,/g, "\uE001").replace(/\b(and|or)\b/gi, "\uE002$1"),
    );
  return masked
    .replace(
      OF_ONE_BEFORE,
      (_, type: string, need: string | undefined) => ` (${type})${need ? ` (${need})` : ""}`,
    )
    .split(/\s*(?:,\s*(?:and\s+)?|;\s*|(?<!\uE002)\band\b)\s*/i)
    .map((part) => part.replaceAll("\uE001", ",").replaceAll("\uE002", "").trim())
    .filter(Boolean);
}

/**
 * The fields of `city, date and amount (number)`; null when a part of it is none. Where the whole
 * is known to be a list, a name may have up to three words.
 */
function readList(text: string, required: boolean, isWhole = false): NamedField[] | null {
  const all = /^(.+?)\s+(?:all )?as (numbers?|texts?|strings?|booleans?|dates?)$/i.exec(
    text.trim().replace(/[.\s]+$/, ""),
  );
  const fields = partsOf(all?.[1] ?? text).map((whole): NamedField | null => {
    // `byes (integer, not required)` is `optional byes (integer)`.
    const part = whole
      .replace(/\bnot required\b/i, "optional")
      .replace(
        /^(.+?)\s*\((?:([^(),]+),\s*)?(required|optional|mandatory)(?:,\s*([^(),]+))?\)$/i,
        (_, name: string, before, need: string, after) =>
          `${need} ${name}${before || after ? ` (${before ?? after})` : ""}`,
      );
    const listed = VALUES.exec(part);
    const values =
      (listed?.[1] ?? listed?.[2])
        ?.replace(/^(?:one of|either)\s+/i, "")
        .split(/\s*(?:,\s*(?:or\s+|and\s+)?|\s+or\s+|\/)\s*/i)
        .map((value) => value.replace(/^["“‘'`]|["”’'`]$/g, ""))
        .filter(Boolean) ?? null;
    const isScale = SCALE.test(part);
    const bare = part
      .replace(VALUES, "")
      .replace(SCALE, "")
      .replace(/^(.+?)\s*\((required|optional|mandatory)\)$/i, "$2 $1");
    const joined = isWhole
      ? bare.replace(
          /^(?:(?:an?|the) )?(?!.*\b(?:with|of|that|for|from|in|is|as)\b)(\p{L}+(?: \p{L}+){1,2})(?=$|\s*[:(])/u,
          (_, words: string) => words.replaceAll(" ", "_"),
        )
      : bare;
    const [, need, before, name, after] = ITEM.exec(bare) ?? ITEM.exec(joined) ?? [];
    if (name === undefined) return null;
    const said =
      before ?? after ?? all?.[2]?.replace(/s$/, "") ?? (/(?:^|_)date$/i.test(name) ? "date" : "");
    const type = isScale
      ? "number"
      : values
        ? "string"
        : (TYPES.find(([words]) => words.test(said))?.[1] ?? null);
    const isRequired = need === undefined ? required : need.toLowerCase() !== "optional";
    return {
      name,
      type,
      format: /^date$/i.test(said) ? "date" : null,
      values,
      required: isRequired,
    };
  });
  return fields.length === 0 || fields.some((field) => field === null)
    ? null
    : fields.filter((field) => field !== null);
}

/** What may follow a list within its sentence. */
const AFTER_LIST =
  /^(?:,|;|\.|$|(?:and|that|which|from|for|to|of|in|on|so|then|out|as|by|taken|found|about)\b)/i;

/** The longest list that a text begins with. */
function listAt(text: string, required: boolean): NamedField[] | null {
  const sentence = text.replace(/[.;](?:\s.*)?$/s, "");
  const whole = readList(sentence, required, true);
  if (whole !== null && !/\b(?:which|that|from|who|is|are)\b/i.test(sentence)) return whole;
  const ends = [...sentence.matchAll(/,?\s+/g)].map(({ index }) => index).reverse();
  for (const end of [sentence.length, ...ends]) {
    const rest = sentence.slice(end).trim();
    const fields = AFTER_LIST.test(rest)
      ? readList(sentence.slice(0, end).replace(/[,\s]+$/, ""), required)
      : null;
    if (fields !== null) return fields;
  }
  return null;
}

const ABOUT_OUTPUT =
  /\b(?:returns?|answers?|gives?|outputs?|repl(?:y|ies)|responds?)\b.*\{[^{}]+\}|\b(?:as|in|into|with|of|returns?|answers?|gives?|outputs?|repl(?:y|ies)|responds?|produces?|provides?|delivers?|format)\b.{0,40}(?<![.\w])json\b(?! (?:files?|data|datasets?|documents?|exports?|logs?|lines))|\boutput schema\b|\bstructured output\b|\bfields?\b.*\bin the (?:output|answer)\b|\boutputs?\s*(?::|=|are\b|is\b)|\boutputs?\s+\w+(?:\s*\([^()]*\))?\s*,|\b(?:array|list) of objects?\b|\b(?:as|with|returns?|in) (?:an? )?objects?\b|\bin (?:the|a) (?:\w+ )?field\b|\b(?:true or false|yes or no)\b|\bstructured\s*:|\b(?:returns?|outputs?|gives? back)\b.+\bas (?:numbers?|texts?|strings?|booleans?)$/i;
const FIELDS_OUT: RegExp[] = [
  /\bfields?\s+(.+?)\s+in the (?:output|answer)\b/i,
  /\boutputs?\s*(?::|=|\bare\b|\bis\b)\s*(?!(?:an? |one )?(?:json )?(?:object|array|list)\b)(.+)$/i,
  /\bstructured\s*:\s*(.+)$/i,
  /\boutputs?\s+(\w+(?:\s*\([^()]*\))?\s*,.+)$/i,
  /\b(?:returns?|outputs?|gives? back)\s+(.+\s+as (?:numbers?|texts?|strings?|booleans?))$/i,
  /\bin (?:the|a) (?:boolean )?field\s+(.+)$/i,
  /\b(?:json(?! (?:files?|data|datasets?|documents?|exports?|logs?|lines))|schema|output|object)\b[^,{}]{0,30}?\b(?:with|has|having|containing|holding)\s+(?:the\s+|just\s+|only\s+)*(?:fields?|keys?|properties)?\s*:?\s*(.+)$/i,
];

/**
 * What a clause says about the form of the answer: its fields, null when it speaks of none,
 * `unclear` when they cannot be told.
 */
export function readOutput(clause: string): NamedField[] | "unclear" | null {
  if (!ABOUT_OUTPUT.test(clause)) return null;
  const braced = /\{([^{}]{1,500})\}/.exec(clause)?.[1];
  if (braced) return readList(braced, true) ?? "unclear";
  if (/\b(?:array|list) of objects?\b/i.test(clause)) return "unclear";
  for (const pattern of FIELDS_OUT) {
    const list = pattern.exec(clause)?.[1];
    const fields = list ? listAt(list, true) : null;
    const [only] = fields ?? [];
    if (
      fields?.length === 1 &&
      only?.type === null &&
      /\b(?:true or false|yes or no)\b/i.test(clause)
    )
      return [{ ...only, type: "boolean" }];
    if (fields !== null) return fields;
  }
  return "unclear";
}

const FIELDS_IN = [
  /\bas (?:an?|the|its) inputs? (?:named |called )?(?!(?:and|or|from|in|of|to|for|which|that|with)\b)([\p{L}_][\p{L}\p{N}_-]*)(?=\s*(?:[,.;]|$))/iu,
  /\(\s*inputs?\s*:?\s*([^()]{2,80})\)/i,
  /\b(?:one|two|three|four|an?) inputs?\s*[,:]\s*(.+)$/i,
  /\b(?:takes?|accepts?|gets?|with|has|needs?|given)\s+((?:(?!\binputs?\b).){2,80}?)\s+as\s+(?:an?\s+|the\s+|its\s+)?inputs?\b/i,
  /\binputs?\s*(?::|=|\bare\b|\bis\b)\s*(.+)$/i,
  /\binputs?\s+(?:named\s+|called\s+)?(.+)$/i,
  /\b(?:takes?|accepts?|requires?|asks? for|needs?|add)\s+((?:an?\s+)?(?:(?:required|optional|mandatory)\b|(?:text|string|number|integer|date|boolean|list)\s+(?:input\s+)?(?:named|called)\b).+?)(?=,? and (?:describes?|returns?|answers?|tells?|gives?|writes?|reports?)\b|$)/i,
];
/** `The weekday is an input and has to be given.` */
const IS_INPUT =
  /^(?:the )?([\p{L}_ ]{2,30}?) (?:is|are) (?:its |the |an? |one |another )*(?:only )?(?:(?:required|optional) )?inputs?\b(.*)$/iu;
/** `The inputs item and damage are required, age is optional.` */
const ARE_NEEDED =
  /(?:\binputs?\s+|,\s*(?:and\s+)?|\band\s+)?((?:(?!\binputs?\b)[^.;]){1,200}?)(?<!\b(?:that|which|who|it))\s+(?:is|are)\s+(required|mandatory|optional|not required)\b/gi;
const GIVEN = /\bgiven (\p{Ll}[\p{Ll}-]{2,30})\b/u;

/**
 * What a clause says that each run is given: named fields, null when it speaks of none, `unclear`
 * when they cannot be told.
 */
export function readInputs(clause: string): NamedField[] | "unclear" | null {
  // `The input is port, the other input is day` is one list.
  const listed = clause.replace(
    /,?\s*(?:and\s+)?the (?:other|second|third|next|last)(?: one| input)?\s+is\s+/gi,
    ", ",
  );
  const single = IS_INPUT.exec(listed);
  if (single?.[1]) {
    const need =
      /\b(?:required|mandatory|(?:has to|must|needs? to) be (?:given|there|set))\b/i.test(
        single[2] ?? "",
      )
        ? "required "
        : "";
    return readList(need + single[1], false, true) ?? "unclear";
  }
  const needed = /\binputs?\b/i.test(listed) ? [...listed.matchAll(ARE_NEEDED)] : [];
  if (needed.length > 0) {
    const lists = needed.map(([, names = "", need = ""]) =>
      readList(names, !/optional|not required/i.test(need), true),
    );
    return lists.includes(null) ? "unclear" : lists.flatMap((list) => list ?? []);
  }
  for (const pattern of FIELDS_IN) {
    const list = pattern.exec(listed)?.[1];
    const fields = list ? listAt(list, false) : null;
    // `the input guests, rounding to …` is one.
    const isOne =
      fields !== null &&
      /^\s*[\w-]+,(?!\s*(?:\w+,\s*)*(?:\w+\s+)?and\b)/.test(list ?? "") &&
      /\b(?:the|an?|its|one) input\s+[\w-]+,/i.test(listed);
    if (fields !== null) return isOne ? fields.slice(0, 1) : fields;
  }
  const taken = /^takes?\s+(an?\s+.+|[\p{L}_]+(?:,\s*[\p{L}_]+)*,?\s+and\s+[\p{L}_]+)$/iu.exec(
    clause,
  )?.[1];
  if (taken && !/\binputs?\b/i.test(clause)) return readList(taken, false, true) ?? "unclear";
  const given = /\binputs?\b/i.test(clause) ? undefined : GIVEN.exec(clause)?.[1];
  if (given && !/s$/.test(given))
    return [{ name: given, type: "string", format: null, values: null, required: false }];
  return /\binputs?\b/i.test(clause) ? "unclear" : null;
}

/** A value as it was said, of its field's type. */
function presetOf(said: string, type: NamedField["type"]): JsonValue {
  if (type === "boolean") return /^(?:true|yes|on)$/i.test(said);
  return (type === "number" || type === "integer") && Number.isFinite(Number(said))
    ? Number(said)
    : said;
}

/** A JSON Schema with the fields beside those that it has. */
export function withFields(schema: JsonObject, fields: readonly NamedField[]): JsonObject {
  const properties = fields.map(
    ({
      name,
      type,
      format,
      values,
      note,
      range,
      isNullable,
      default: preset,
    }): [string, JsonObject] => [
      name,
      {
        ...((type || isNullable) && { type: isNullable ? [type ?? "string", "null"] : type }),
        ...(format && { format }),
        ...(values && { enum: isNullable ? [...values, null] : values }),
        ...(preset !== undefined && { default: presetOf(preset, type) }),
        ...(range && { minimum: range[0], maximum: range[1] }),
        title: capital(nameWords(name).join(" ")),
        ...(note && { description: capital(note) }),
      },
    ],
  );
  const needed = fields.filter(({ required }) => required).map(({ name }) => name);
  const before = Array.isArray(schema.required) ? schema.required : [];
  const required = [...new Set([...before, ...needed])];
  const own =
    typeof schema.properties === "object" && !Array.isArray(schema.properties)
      ? schema.properties
      : {};
  return {
    type: "object",
    ...schema,
    properties: { ...own, ...Object.fromEntries(properties) },
    ...(required.length > 0 && { required }),
  };
}
