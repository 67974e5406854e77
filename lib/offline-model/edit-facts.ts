import "server-only";
import { isFunctionWord, keywordsOf, numberOf, quote, stem } from "./language";
import { type Applied, type Edit, said } from "./order";
import { codeLines, type Section, sectionsOf } from "./skill-text";

const SHAPES: [shape: string, pattern: RegExp][] = [
  ["link", /https?:\/\/[^\s“”]*[\p{L}\p{N}/]/giu],
  ["address", /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,30}){1,4}/gi],
  ["date", /\b\d{4}-\d\d-\d\d\b/g],
  ["time", /(?<![\d:])\d{1,2}:\d\d(?![\d:])/g],
  ["phone", /(?:\+|\b0)\d[\d /-]{5,20}\d/g],
  [
    "number",
    /(?<![\p{L}\p{N}_.,:/-])\d+(?:[.,]\d+)*(?![\p{L}\p{N}_/]|-\d)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/giu,
  ],
];

interface Value {
  shape: string;
  text: string;
  at: number;
}

/** The figures, times, numbers and addresses of a text, each taken once. */
function valuesOf(text: string): Value[] {
  const found: Value[] = [];
  let rest = text;
  for (const [shape, pattern] of SHAPES)
    rest = rest.replace(pattern, (value, ...more) => {
      const at = more.find((one) => typeof one === "number");
      found.push({ shape, text: value, at: Number(at) });
      return " ".repeat(value.length);
    });
  return found;
}

/** A value of the skill, with the words that say what it is. */
interface Slot extends Value {
  line: number;
  near: string[];
  far: string[];
  /** The words of the column, in a table. */
  column: string[];
  /** It holds for several things, of which these are the words. */
  shared: string[];
}

const words = (text: string) =>
  keywordsOf(text.replace(/['’](?:re|ll|ve|d|m)\b/g, "").replace(/[-–/]/g, " ")).filter(
    (word) => !isFunctionWord(word),
  );
/** Words by which a fact is said and which name nothing. */
const PLAIN = words(
  "now new please cost take last update mean become set must may can should remain currently up down exactly only until till from euro dollar now only go close shut start begin finish raise lower keep kept allowed within stay wait need want get",
);
const NAMED_BY: { [word: string]: string[] } = {
  cost: words("price cost fee rate charge"),
  tak: words("minutes hours days duration time length seconds weeks"),
  last: words("minutes hours days duration time length seconds weeks"),
};

function slotsOf(skill: string): Slot[] {
  const lines = skill.split("\n");
  const isCode = codeLines(lines);
  const sections = sectionsOf(lines);
  const rows = rowsOf(lines);
  let above: Section[] = [];
  let read = 0;
  return lines.flatMap((line, at) => {
    const next = sections[read];
    if (next?.start === at) {
      above = [...above.filter(({ end }) => end > at), next];
      read += 1;
    }
    if (isCode[at] || /^#/.test(line) || line.length > LINE_MAX_CHARACTERS) return [];
    const cells = rows.get(at) ?? null;
    const body = line.replace(/^\s*(?:[-*+>]|\d+[.)])\s/, (mark) => " ".repeat(mark.length));
    return valuesOf(body).map((value): Slot => {
      const far = words(
        [...above.map(({ title }) => title), line, cells?.header.join(" ")].join(" "),
      );
      if (cells !== null) {
        const column = (line.slice(0, value.at).match(/\|/g) ?? []).length - 1;
        return {
          ...value,
          line: at,
          near: words(
            `${cells.row[0]} ${cells.header[column]} ${cells.row[column]?.replace(value.text, " ")}`,
          ),
          far,
          column: words(cells.header[column] ?? ""),
          shared: [],
        };
      }
      const start = Math.max(
        ...[...line.slice(0, value.at).matchAll(/[,;.]\s/g)].map(({ index }) => index + 1),
        0,
      );
      const length =
        /[,;.](?=\s|$)/.exec(line.slice(value.at + value.text.length))?.index ?? line.length;
      const segment = line.slice(start, value.at + value.text.length + length);
      const lead = line.slice(start, value.at);
      const edge = /(?:-|–|to|until|till)\s*$/.test(lead)
        ? ["→"]
        : /^\s*(?:-|–|to |until )/.test(line.slice(value.at + value.text.length))
          ? ["←"]
          : [];
      const key = lead.replace(/\d{1,2}:\d\d\s*(?:-|–|to|until)\s*$/, "");
      const shared = /\b(?:and|or|to|until|through)\b|[&/–-]/.test(key) ? words(key) : [];
      return {
        ...value,
        line: at,
        near: [...words(segment.replace(value.text, " ")), ...edge],
        far,
        column: [],
        shared,
      };
    });
  });
}

/** The rows of the tables of a skill by their lines, each with the header of its table. */
export function rowsOf(
  lines: readonly string[],
): Map<number, { row: string[]; header: string[]; start: number }> {
  const split = (line = "") =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
  const rows = new Map<number, { row: string[]; header: string[]; start: number }>();
  let start = 0;
  let header: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (!/^\s*\|/.test(line)) start = at + 1;
    else if (at === start) header = split(line);
    else if (at > start + 1 && /^[\s|:-]+$/.test(lines[start + 1] ?? ""))
      rows.set(at, { row: split(line), header, start });
  }
  return rows;
}

interface Fact {
  about: string;
  from: string | null;
  to: string;
}

const ORDERS =
  /^(?:add|also|remove|delete|drop|rename|call|name|use|allow|enable|disable|insert|turn|move|swap|let|give|run|schedule|replace|do|don't|always|never|make|put|keep|write|send|undo|revert)\b/i;
const NOT_SAID =
  /^(?:what|which|who|why|how|when|where|if|is|are|does|should|can|could|would)\b|\?$|\b(?:not|never|no|nothing|without|unless|except|if|or|maybe|perhaps|like|step|rule)\b|n't\b/i;
const LIMIT = 400;
const LINE_MAX_CHARACTERS = 2000;

/** What is said to be so from now on, of which the skill says otherwise. */
function readFact(order: string): Fact | null {
  if (order.length > LIMIT) return null;
  const [, set, was, value] =
    /^(?:set|change|update|raise|lower|increase|decrease|reduce|correct|adjust|put)\s+(?:the\s+)?(.+?)(?:\s+from\s+(.+?))?\s+(?:up |down )?to\s+(.+)$/i.exec(
      order,
    ) ?? [];
  const [, moved, from, into] =
    /^(.+?)\s+(?:has|have|had)?\s*(?:been )?(?:moved|changed|switched|gone up|gone down|went up|went down|risen|rose|fallen|fell|dropped|increased|decreased|raised|lowered)\s+from\s+(.+?)\s+to\s+(.+)$/i.exec(
      order,
    ) ?? [];
  if (set && value) return { about: set, from: was ?? null, to: value };
  if (moved && into) return { about: moved, from: from ?? null, to: into };
  const bare = order.replace(
    /^(.+?) (?:has|have) changed[.,;:]?\s+(?:it(?:'s| is|'ll be) |to )/i,
    "$1 is ",
  );
  const [, body = bare, old = null] =
    /^(.+?)(?:(?:,| and|,? but) not|,?\s+(?:instead of|rather than|no longer|up from|down from))\s+(.+)$/i.exec(
      bare,
    ) ?? [];
  if (NOT_SAID.test(body) || (ORDERS.test(body) && (old === null || valuesOf(old).length !== 1)))
    return null;
  const values = valuesOf(body);
  const [only] = values;
  if (only && values.length === 1)
    return {
      about: `${body.slice(0, only.at)} ${body.slice(only.at + only.text.length)}`,
      from: old,
      to: only.text,
    };
  if (values.length > 1) return null;
  const [, subject, name] =
    /^(.+?) (?:is|are|is called) (?:now )?((?:\p{Lu}[\p{L}\p{N}.'’&-]*|“[^”]*”)(?: \p{Lu}[\p{L}\p{N}.'’&-]*){0,4})$/u.exec(
      body,
    ) ?? [];
  if (subject && name) return { about: subject, from: old, to: said(name) };
  return old === null ? null : { about: body, from: old, to: "" };
}

export const editFact: Edit = (agent, order) => {
  const fact = readFact(order);
  if (fact === null) return null;
  const value = valuesOf(fact.to)[0];
  const old = fact.from === null ? null : (valuesOf(fact.from)[0] ?? null);
  const unit = value ? fact.to.replace(value.text, " ") : "";
  const wanted = [
    ...new Set(
      words(`${fact.about} ${unit} ${old && fact.from ? fact.from.replace(old.text, " ") : ""}`),
    ),
  ].filter((word) => !PLAIN.includes(word) || word in NAMED_BY);
  const edge =
    /\b(?:until|till|to|close|shut|close at)\b(?=[^.]{0,20}$)/i.test(fact.about) ||
    /\b(?:until|till)\s*$/i.test(order.split(fact.to)[0] ?? "")
      ? "→"
      : /\b(?:from|open at|start)\b/i.test(fact.about)
        ? "←"
        : null;
  if (!value || (fact.from && !old)) return replaceNamed(agent, fact);
  const holds = (slot: Slot, word: string) =>
    slot.near.includes(word) || (NAMED_BY[word] ?? []).some((one) => slot.near.includes(one));
  const skillWords = words(agent.skill);
  const knows = (slot: Slot, word: string) =>
    holds(slot, word) ||
    slot.far.includes(word) ||
    PLAIN.includes(word) ||
    // `The mail address is …`: its value says what it is.
    words(value.shape).includes(word) ||
    (old !== null || words(unit).includes(word)
      ? skillWords.some((one) => one === word || (word.length > 2 && one.startsWith(word)))
      : false);
  const slots = slotsOf(agent.skill).filter(
    (slot) => slot.shape === value.shape && (old === null || isSame(slot.text, old.text)),
  );
  const scored = slots
    .map((slot) => ({
      slot,
      score:
        wanted.filter((word) => holds(slot, word)).length +
        (edge !== null && slot.near.includes(edge) ? 0.5 : 0),
    }))
    .filter(
      ({ slot, score }) =>
        score >= 1 &&
        wanted.every((word) => knows(slot, word)) &&
        slot.shared.every((word) => wanted.includes(word)),
    );
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const ties = scored.filter(({ score }) => score === best);
  // Within one row `days` is the column `days` before `fee per day`.
  const exact = ties.every(({ slot }) => slot.line === ties[0]?.slot.line)
    ? ties.filter(
        ({ slot }) => slot.column.length > 0 && slot.column.every((word) => wanted.includes(word)),
      )
    : [];
  const fits = exact.length === 1 ? exact : ties;
  const [fit] = fits;
  if (!fit || fits.length > 1) {
    const strange = wanted.filter((word) => !slots.some((slot) => knows(slot, word)));
    const lines = agent.skill.split("\n");
    const shown = [
      ...new Set((fit ? fits : []).map(({ slot }) => quote(lines[slot.line] ?? ""))),
    ].slice(0, 4);
    return {
      refused:
        shown.length > 0
          ? `no one value is meant; it may be in ${shown.join(", ")}`
          : `the skill has no one ${value.shape} for that${strange.length > 0 ? `, and says nothing of ${strange.map(quote).join(", ")}` : ""}`,
    };
  }
  const word =
    value.shape === "number" && /^\p{Ll}/u.test(fit.slot.text)
      ? value.text.toLowerCase()
      : value.text;
  const to =
    /^\d/.test(fit.slot.text) && !/^\d/.test(word) && value.shape === "number"
      ? String(numberOf(word))
      : word;
  return putValue(agent, fit.slot, to, /^\s+(\p{L}+)/u.exec(order.split(value.text)[1] ?? "")?.[1]);
};

function isSame(one: string, other: string): boolean {
  return one === other || (numberOf(one) !== null && numberOf(one) === numberOf(other));
}

function putValue(
  agent: { skill: string },
  { line, at, text }: Slot,
  to: string,
  unit?: string,
): Applied {
  const lines = agent.skill.split("\n");
  const before = lines[line] ?? "";
  if (isSame(text, to)) return { done: `${quote(before)} says so already.` };
  const gap = /^\| *| */.exec(before.slice(at + text.length))?.[0] ?? "";
  // A table keeps its width.
  const isCell = /^\s*\|/.test(before) && gap.length > 1 && !gap.startsWith("|");
  lines[line] =
    before.slice(0, at) +
    (isCell ? `${to.padEnd(text.length + gap.length - 1)} ` : to + gap) +
    before.slice(at + text.length + gap.length);
  // `two sentences` become `one sentence`.
  const after = before.slice(at + text.length);
  const own = /^ (\p{L}+)/u.exec(after)?.[1];
  if (own && unit && own !== unit && stem(own) === stem(unit))
    lines[line] = `${before.slice(0, at)}${to} ${unit.toLowerCase()}${after.slice(own.length + 1)}`;
  agent.skill = lines.join("\n");
  return { done: `Changed ${quote(text)} to ${quote(to)} in ${quote(lines[line] ?? "")}.` };
}

/**
 * A name that the skill says once: `The editor is Maud Ferris`, `British English`. What stands
 * beside it says which words of the order are the new one.
 */
function replaceNamed(agent: { skill: string }, { about, from, to }: Fact): Applied | null {
  const lines = agent.skill.split("\n");
  const isCode = codeLines(lines);
  if (from === null) {
    const wanted = words(about).filter((word) => !PLAIN.includes(word));
    const NAME =
      /^(.*?(?:\bis|\bare|\bcalled|\bnamed|:\**) )(\p{Lu}[\p{L}\p{N}'’&-]*(?: \p{Lu}[\p{L}\p{N}'’&-]*){0,4})(?=[.,;)]|$)/u;
    const fits = lines.flatMap((line, at) =>
      isCode[at]
        ? []
        : [...line.matchAll(/[^.;!?]+[.;!?]?\s*/g)].flatMap(({ index, 0: sentence }) => {
            const [, lead = "", name = ""] = NAME.exec(sentence) ?? [];
            const own = words(lead);
            return name &&
              wanted.length > 0 &&
              wanted.every((word) => own.includes(word)) &&
              own.length <= wanted.length + 1
              ? [{ line: at, at: index + lead.length, text: name }]
              : [];
          }),
    );
    const [fit] = fits;
    return fit && fits.length === 1
      ? putValue(agent, { ...fit, shape: "name", near: [], far: [], column: [], shared: [] }, to)
      : null;
  }
  const places = lines.flatMap((line, at) =>
    [...line.matchAll(wordsAs(said(from)))].map(({ index, 0: text }) => ({
      line: at,
      at: index,
      text,
    })),
  );
  const [place] = places;
  if (!place || places.length > 1)
    return {
      refused: `the skill says ${quote(said(from))} ${places.length} times; it has to be exactly one place`,
    };
  const line = lines[place.line] ?? "";
  const known = words(line);
  const right = /^\s+([\p{L}\p{N}'’-]+)/u.exec(line.slice(place.at + place.text.length))?.[1];
  const left = /([\p{L}\p{N}'’-]+)\s+$/u.exec(line.slice(0, place.at))?.[1];
  const spoken = said(about).split(/\s+/);
  const same = (one: string | undefined, other: string | undefined) =>
    one?.toLowerCase() === other?.toLowerCase() && one !== undefined;
  const size = place.text.split(/\s+/).length;
  const [atRight, atLeft] = [
    spoken.findIndex((word) => same(word, right)),
    spoken.findIndex((word) => same(word, left)),
  ];
  const start = atRight >= size ? atRight - size : atLeft >= 0 ? atLeft + 1 : -1;
  const name = to || spoken.slice(start, start + size).join(" ");
  const rest = words(
    to ? about : [...spoken.slice(0, start), ...spoken.slice(start + size)].join(" "),
  ).filter((word) => !PLAIN.includes(word));
  const isKnown = rest.every((word) => known.includes(word));
  if ((!to && (start < 0 || name === "" || words(name).length === 0)) || !isKnown) return null;
  return putValue(
    agent,
    { ...place, shape: "name", near: [], far: [], column: [], shared: [] },
    said(name),
  );
}

/** The words of a text as whole words, whatever their case. */
export function wordsAs(text: string): RegExp {
  const body = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `${/^[\p{L}\p{N}_]/u.test(text) ? "(?<![\\p{L}\\p{N}_])" : ""}${body}${/[\p{L}\p{N}_]$/u.test(text) ? "(?![\\p{L}\\p{N}_])" : ""}`,
    "giu",
  );
}
