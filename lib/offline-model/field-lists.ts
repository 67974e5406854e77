import "server-only";
import type { NamedField } from "./read-fields";

/**
 * The lists of fields in a text, each of which the text now holds as one word that no reader of
 * clauses takes apart.
 */
export interface FieldLists {
  text: string;
  inputs: NamedField[];
  outputs: NamedField[];
  /** What stood in the place of a word. */
  restore: (text: string) => string;
}

const NAME = String.raw`["“'‘\x60]?([\p{L}_][\p{L}\p{N}_-]*(?: \p{Ll}[\p{L}\p{N}_-]*){0,3}?)["”'’\x60]?`;
const TYPE = String.raw`(?:(?:an? |the )?(?:(?:optional|required|mandatory) )?(?:numbers?|integers?|ints?|floats?|decimals?|whole numbers?|strings?|texts?|booleans?|bools?|dates?|lists?|arrays?|yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false)(?: of [\p{L}]+)?(?: or null)?(?: (?:between|from) -?\d+(?:\.\d+)? (?:and|to) -?\d+(?:\.\d+)?)?(?: (?:that|which) (?:is|defaults to) [^,;.()]{1,40})?)`;
/**
 * One of a list: `price (number)`, `price: number`, `price as a number`, `price, a number`, or a
 * name alone.
 */
const ITEM = new RegExp(
  String.raw`(?:(?:and|plus|optionally|an?|the|one|its|having|being|be|fields?|inputs?|parameters?)\s+)*(?:(optional|required|mandatory)\s+(?:(?:inputs?|fields?|parameters?)\s+)?)?(?:(boolean|integer|number)\s+(?=[\p{L}_]))?${NAME}(?:\s*\(([^()]{1,200})\)|\s*:\s*(${TYPE}|(?:one|any) of [^;.]{3,120}|[\p{L}-]+(?: \p{L}+){0,3}(?: ?\/ ?[\p{L}-]+(?: \p{L}+){0,3})+)|,?\s+(?:\3 )?(?:as|is|being)\s+(${TYPE}(?:\s*\([^()]{1,120}\))?)|,\s+((?=an? )${TYPE}|(?:(?:which|it) is )?(?:(?:one|any) of|either|chosen (?:out of|from)) [\p{L}\p{N} -]{1,30}(?:, (?!and |or |which |that |an? )[\p{L}\p{N} -]{1,30}){0,8}(?:,? or [\p{L}\p{N}-]{1,30}(?: [\p{L}\p{N}-]{1,30})??|,? and [\p{L}\p{N}-]{1,30}(?!,? (?:which|that|an?) )|(?=, and |\s*[.;]|\s*$))|(?:which|that|it) (?:may|can) be null|(?:(?:which|it|that) is )?(?:required|optional|mandatory|compulsory))(?=\s*(?:[,;.]|\band\b|$))|\s+((?:not|up to|at most|no more than|max(?:imum)?) [^,;.()]{3,60}))?(?:\s+(from -?\d+(?:\.\d+)? to -?\d+(?:\.\d+)?|between -?\d+(?:\.\d+)? and -?\d+(?:\.\d+)?))?(?=\s*(?:[,;.!?+}\n]|$|\band\b|\bplus\b|\bas\b|\bfrom\b|\bwith\b|\bby\b|\bin\b|\bfor\b))`,
  "iuy",
);
const JOINT = /\s*(?:\+\s*|[,;]\s*(?:and\s+|plus\s+)?|\s+(?:and|plus)\s+)(?=\S)/iy;
/** What is said of all of them behind a list. */
const ALL =
  /,?\s*(?:and\s+)?(?:both|all(?:\s+(?:of them|two|three|four|five|six))?|each)\s+(?:(?:are|is|of them)\s+)?((?:numbers?|integers?|texts?|strings?|booleans?|dates?|required|mandatory|needed|compulsory|optional)(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:(?:both|all)\s+)?(?:required|mandatory|needed|compulsory|optional))?)\b/iy;
const IS_ALL = /^(?:both|all|each)\b/i;

const IN =
  /\b(?:inputs?(?: fields?| parameters?)?|parameters?)(?:\s*(?::|=|-|–|,(?= (?:[\w-]+,? )?(?:[\w-]+ )?and\b))|\s+(?:are|is|named|called|should be|will be|of))?\s+(?=["“'`\p{L}])|(?:^|[.;\n]\s*)in\s*:\s*(?=\S)/giu;
const OUT =
  /\b(?:outputs?|output fields|returns?|(?:gives?|gets?|hands?) back|structured|json|objects?|results?|answers?(?= (?:with|as|in)\b)|comes? out)\b(?:(?! (?:files?|data)\b)[^.:;(\n]){0,30}?(?:\s*(?::|=|-|–)|\s+(?:with|having|has|have|holding|containing|are|is|must be|should be))?\s+(?:(?:it|this|that|them|the result)\s+as\s+)?(?:(?:the|these|two|three|four|just|only)\s+)*(?:(?:fields?|keys?|properties)\s*:?\s+)?(?:\{\s*)?(?=["“'`\p{L}])/giu;
const AS_INPUT =
  /\b(?:takes?|accepts?|gets|needs?|requires?|given|asks? for)\s+(?!back\b)(?=["“'`\p{L}])/giu;
const FIELDS_WANTED =
  /\b(?:wants?|needs?|extracts?|gives?(?: (?:me|us))?) the (?:output )?fields\s*:?\s+(?=["“'`\p{L}])/giu;
const AS_OUTPUT = /\b(?:gives?|writes?|shows?|has|have|produces?)\s+(?=["“'`\p{L}])/giu;
/** `postcode (input, required)` */
const IN_BRACKETS = /(?<=[\s,])(?=[\p{L}_][\p{L}\p{N}_-]*\s*\((?:[^()]*,\s*)?(?:an )?inputs?\b)/giu;
/** The mark of a list that was taken out. */
const MARK = "\uE010";

/**
 * Lists of fields of which at least one says its type, its values or whether it is needed; what is
 * said less plainly is left to a reader of clauses.
 */
export function takeFieldLists(message: string): FieldLists {
  const taken: string[] = [];
  const lists: Pick<FieldLists, "inputs" | "outputs"> = { inputs: [], outputs: [] };
  let text = message;
  const take = (anchor: RegExp, into: NamedField[], before?: RegExp) => {
    for (const { index, 0: head } of [...text.matchAll(anchor)].reverse()) {
      const list = readListAt(
        text,
        index + head.length,
        KINDS_BEFORE.test(text.slice(0, index)) || NAMES_FIELDS.test(head),
      );
      if (!list || (before && !before.test(text.slice(list.end)))) continue;
      const said = text.slice(index + head.length, list.end);
      if (said.includes(MARK)) continue;
      // `with the number inputs width and height`
      const kind = KINDS_BEFORE.exec(text.slice(0, index))?.[0];
      into.unshift(...(kind ? list.fields.map((field) => forAll(field, kind)) : list.fields));
      text = `${text.slice(0, index + head.length)}${MARK}${taken.push(said) - 1}${MARK}${text.slice(list.end)}`;
    }
  };
  take(IN, lists.inputs);
  take(AS_INPUT, lists.inputs);
  take(OUT, lists.outputs);
  take(AS_OUTPUT, lists.outputs, /^\s+(?:as|in|for) (?:the |its |an )?outputs?\b/i);
  take(FIELDS_WANTED, lists.outputs);
  take(IN_BRACKETS, lists.inputs);
  for (const field of lists.inputs) setNeed(field, text);
  const restore = (part: string) =>
    part.replace(new RegExp(`${MARK}(\\d+)${MARK}`, "g"), (_, at) => taken[Number(at)] ?? "");
  return { text, ...lists, restore };
}

/** `find_number and material are required, depth_cm is optional`, said behind the list. */
function setNeed(field: NamedField, text: string): void {
  const need = new RegExp(
    String.raw`(?<![\w-])${field.name}(?:\s*(?:,|\band\b)\s*[\w-]+){0,5}\s+(?:is|are|must be|has to be|have to be) (required|mandatory|given|filled in|optional|not required)\b`,
    "i",
  ).exec(text)?.[1];
  if (!need) return;
  field.required = !/optional|not/i.test(need);
}

/** Whether a clause holds a list that was taken out, and what else it says. */
export function withoutLists(clause: string): { hasList: boolean; rest: string } {
  const rest = clause.replace(new RegExp(`${MARK}\\d+${MARK}`, "g"), " ");
  return { hasList: rest !== clause, rest };
}

function readListAt(
  text: string,
  from: number,
  hasKind: boolean,
): { fields: NamedField[]; end: number } | null {
  const fields: NamedField[] = [];
  let isTyped = hasKind;
  let end = from;
  let at = from;
  for (;;) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(text);
    const [, need = "", kind = "", name = "", bracket, colon, as, behind, note, scale] = item ?? [];
    if (!item || name === "" || IS_ALL.test(name) || NO_NAME.test(name)) break;
    const said = (bracket ?? colon ?? as ?? behind ?? note ?? scale ?? "").replace(/[()]/g, ", ");
    // `(both numbers)`, `… as numbers`
    const ofAll =
      bracket !== undefined && IS_ALL.test(bracket)
        ? bracket
        : as !== undefined && /^(?:numbers|integers|texts|strings|booleans|dates)$/i.test(as)
          ? as
          : null;
    const field = readSpec(
      name,
      [need, kind, ofAll === null ? said : ""].filter(Boolean).join(", "),
    );
    isTyped ||= field.isTyped;
    fields.push(field.field);
    if (ofAll !== null) {
      isTyped = true;
      fields.splice(0, fields.length, ...fields.map((one) => forAll(one, ofAll)));
    }
    end = ITEM.lastIndex;
    JOINT.lastIndex = end;
    if (!JOINT.exec(text)) break;
    at = JOINT.lastIndex;
  }
  ALL.lastIndex = end;
  const all = fields.length > 0 ? ALL.exec(text) : null;
  const changed = all?.[1] ? fields.map((field) => forAll(field, all[1] ?? "")) : fields;
  return changed.length > 0 && (isTyped || all)
    ? { fields: changed, end: all ? ALL.lastIndex : end }
    : null;
}

const KINDS_BEFORE = /(?:\b(?:number|numeric|integer|text|boolean|required|optional)\s+)+$/i;
/** `returns the fields name and total`: what follows are names, whatever else is said of them. */
const NAMES_FIELDS =
  /^(?:returns?|gives?|hands?|outputs?|answers?|wants?|needs?|extracts?)\b.*\b(?:fields|keys|properties)\s*:?\s*$/is;
/** What a list does not go on with. */
const NO_NAME =
  /^(?:it|then|so|that|which|who|if|when|where|while|from|with|for|to|by|in|on|at|as|of|or|but|never|not|no|nothing|must|should|may|can|will|writes?|reads?|lists?|returns?|gives?|answers?|outputs?|says?|tells?|makes?|uses?|computes?|calculates?|finds?|works?|looks?|checks?|i|we|you|they|this|these|those|there|is|are|has|have|json|an? object|object)\b/i;

const OPTIONAL =
  /\b(?:leave it |is |it's )?optional(?:ly)?\b|\bnot (?:required|needed|mandatory)\b|\b(?:may|can) (?:be|stay) (?:left )?(?:empty|out|blank|missing|absent|omitted|skipped)\b/i;
const REQUIRED =
  /\b(?:is |it's )?(?:required|mandatory|compulsory|needed|(?:must|has to) be (?:given|filled in|filled|there|set))\b/i;
const NULLABLE = /\s*\b(?:or|may be|can be) null\b/i;
const DEFAULT =
  /^(\S+) (?:by default|(?:is|as) (?:the )?default|if (?:it is |it's )?(?:nothing is given|not given|none is given|missing|empty|left out|not said|unset))$|^(?:the )?default(?:s to| is|:|=)? (\S+)$/i;
const TYPES: [words: RegExp, type: Partial<NamedField>][] = [
  [/^(?:yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false|booleans?|bools?)$/i, { type: "boolean" }],
  [/^(?:integers?|ints?|whole numbers?)$/i, { type: "integer" }],
  [/^(?:numbers?|numeric|decimals?|floats?)$/i, { type: "number" }],
  [/^(?:strings?|texts?|free text)$/i, { type: "string" }],
  [/^dates?$/i, { type: "string", format: "date" }],
  [/^(?:lists?|arrays?)(?: of (?:strings?|texts?|words?|names?))?$/i, { type: "array" }],
];

/**
 * `number, required`; `low, medium or high; low if not given`: what is no type, no value and no
 * need becomes the field's description.
 */
function readSpec(name: string, spec: string): { field: NamedField; isTyped: boolean } {
  const bare = spec
    .replace(/(?:^|\s)(?:that|which|it)\s+(?:is\s+)?/gi, ", ")
    .replace(OPTIONAL, " ")
    .replace(REQUIRED, " ")
    .replace(NULLABLE, " ")
    .replace(/\binput\b|\bonly\b/gi, " ");
  const parts = bare
    .split(/\s*;\s*|:\s+/)
    .flatMap((part) =>
      isChoice(part.replace(/^[\s,]+|[\s,]+$/g, "")) ? [part] : part.split(/\s*,\s*/),
    )
    .map((part) => part.replace(/^[\s,]*(?:(?:an?|the|it is|is)\s+)?|[\s,]+$/gi, ""))
    .filter(Boolean);
  const field: NamedField = {
    name: name.trim().replace(/\s+/g, "_"),
    type: null,
    format: null,
    values: null,
    required: REQUIRED.test(spec) && !OPTIONAL.test(spec),
    ...(OPTIONAL.test(spec) && { isOptional: true }),
    ...(NULLABLE.test(spec) && { isNullable: true }),
  };
  const notes: string[] = [];
  for (const part of parts) {
    const typed = TYPES.find(([words]) => words.test(part))?.[1];
    const [, kind, low, high] =
      /^(?:(integer|number|whole number) )?(?:from |between )?(-?\d+(?:\.\d+)?) ?(?:-|–|to|and) ?(-?\d+(?:\.\d+)?)$/i.exec(
        part,
      ) ?? [];
    const [, first = "", rest] =
      /^(integer|number|string|text|whole number|list|array)s? (.+)$/i.exec(part) ?? [];
    if (typed) Object.assign(field, typed);
    else if (low !== undefined && high !== undefined)
      Object.assign(field, {
        type: kind
          ? kind.toLowerCase() === "number"
            ? "number"
            : "integer"
          : (field.type ?? "number"),
        range: [Number(low), Number(high)],
      });
    else if (DEFAULT.test(part))
      field.default = DEFAULT.exec(part)
        ?.slice(1)
        .find(Boolean)
        ?.replace(/^["“'‘]|["”'’]$/g, "");
    else if (isChoice(part)) Object.assign(field, { type: "string", values: choicesOf(part) });
    else {
      const inner =
        rest === undefined ? undefined : TYPES.find(([words]) => words.test(first))?.[1];
      if (inner) Object.assign(field, inner);
      notes.push(part);
    }
  }
  const isTyped = field.type !== null || REQUIRED.test(spec) || OPTIONAL.test(spec);
  return { field: notes.length > 0 ? { ...field, note: notes.join(", ") } : field, isTyped };
}

const TYPE_WORD =
  /\b(?:number|integer|string|text|list|array|boolean|date|required|optional|mandatory|input)s?\b/i;

function isChoice(part: string): boolean {
  if (/^(?:yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false)$/i.test(part.trim())) return false;
  if (/^(?:(?:one|any) of|either|chosen (?:out of|from))\b/i.test(part)) return true;
  const values = part.split(/\s*(?:,\s*(?:or\s+)?|\s+or\s+|\s*\/\s*)\s*/i);
  return (
    values.length > 1 &&
    (values.length > 2 || !part.includes(",")) &&
    values.every(
      (value) =>
        !/\b(?:default|if)\b/i.test(value) &&
        /^["“'‘]?[\p{L}\p{N}][\p{L}\p{N}\s'’.+-]{0,30}["”'’]?$/u.test(value) &&
        value.split(/\s+/).length <= 3 &&
        !TYPE_WORD.test(value),
    )
  );
}

function choicesOf(part: string): string[] {
  return part
    .replace(/^(?:(?:one|any) of|either|chosen (?:out of|from))\s+/i, "")
    .split(/\s*(?:,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+|\s*\/\s*)\s*/i)
    .map((value) => value.replace(/^["“‘'`]|["”’'`]$/g, ""))
    .filter(Boolean);
}

function forAll(field: NamedField, said: string): NamedField {
  const type = /\bintegers?\b/i.test(said)
    ? "integer"
    : /\bnumbers?\b|\bnumeric\b/i.test(said)
      ? "number"
      : /\bbooleans?\b/i.test(said)
        ? "boolean"
        : /\b(?:texts?|strings?)\b/i.test(said)
          ? "string"
          : field.type;
  const required = /\b(?:required|mandatory|needed|compulsory)\b/i.test(said) || field.required;
  return { ...field, type: field.type ?? type, required };
}
