import "server-only";
import { nameWords, stem } from "./language";

const ITEM = /^([-*+]|\d+[.)])(\s+(?:\[[ x]\]\s+)?)(.*)$/s;
const STEPS_MAX = 20;

/** A heading of a skill with what stands under it, smaller headings too. */
export interface Section {
  title: string;
  level: number;
  /** The line of the heading, and one past the last line. */
  start: number;
  end: number;
}

/** A list of a skill: where its items stand, each with the lines that hang under it. */
export interface List {
  /** The heading that it stands under; empty where it stands before any. */
  title: string;
  isNumbered: boolean;
  /** First and one past the last line of each item. */
  items: { start: number; end: number; text: string }[];
}

/** What stands in a fence is an example and no part of the skill's own form. */
export function codeLines(lines: readonly string[]): boolean[] {
  let inCode = false;
  return lines.map((line) => {
    const isFence = /^\s*```/.test(line);
    if (isFence) inCode = !inCode;
    return inCode || isFence;
  });
}

export function sectionsOf(lines: readonly string[]): Section[] {
  const isCode = codeLines(lines);
  const found = lines.flatMap((line, start) => {
    const [, signs = "", title = ""] =
      (isCode[start] ? null : /^(#{1,6})\s(.*)$/s.exec(line)) ?? [];
    return signs ? [{ title: title.trim(), level: signs.length, start }] : [];
  });
  return found.map((section, at) => {
    let next = at + 1;
    while ((found[next]?.level ?? 0) > section.level) next += 1;
    return { ...section, end: found[next]?.start ?? lines.length };
  });
}

/** The lists of a skill; those of one section and one kind count as one. */
export function listsOf(lines: readonly string[]): List[] {
  const isCode = codeLines(lines);
  const titles = new Map(sectionsOf(lines).map(({ start, title }) => [start, title]));
  const lists: List[] = [];
  let own: List[] = [];
  let title = "";
  let open: List | undefined;
  for (const [at, line] of lines.entries()) {
    if (titles.has(at)) [title, own, open] = [titles.get(at) ?? "", [], undefined];
    const [, mark = "", , text] = (isCode[at] ? null : ITEM.exec(line)) ?? [];
    const last = open?.items.at(-1);
    if (text !== undefined) {
      const isNumbered = /^\d/.test(mark);
      open = own.find((list) => list.isNumbered === isNumbered);
      if (!open) {
        open = { title, isNumbered, items: [] };
        own.push(open);
        lists.push(open);
      }
      open.items.push({ start: at, end: at + 1, text });
    }
    // What is indented under an item belongs to it, blank lines between such lines too.
    else if (
      last &&
      /^\s+\S/.test(line) &&
      lines.slice(last.end, at).every((between) => between.trim() === "")
    )
      last.end = at + 1;
  }
  return lists;
}

/** Stems of the words of a heading or of what names it. */
export function titleWords(text: string): string[] {
  return nameWords(text)
    .map(stem)
    .filter((word) => !/^(?:the|of|a|an|and|our|your|its|list|section|table)$/.test(word));
}

/** Those whose heading holds all words. */
export function underHeading<Part extends { title: string }>(
  parts: readonly Part[],
  words: string,
): Part[] {
  const wanted = titleWords(words);
  const fits =
    wanted.length === 0
      ? []
      : parts.filter(({ title }) => wanted.every((word) => titleWords(title).includes(word)));
  const exact = fits.filter(({ title }) => titleWords(title).length === wanted.length);
  return exact.length > 0 ? exact : fits;
}

export const HEADINGS = {
  step: /^(?:the\s+)?(?:steps?|workflow|instructions?|process|procedure|what to do)\b/i,
  rule: /^(?:the\s+)?(?:rules?|guidelines|constraints)\b/i,
};
export type ItemKind = keyof typeof HEADINGS;

/** The list under the heading of its kind. */
function listOf(lines: readonly string[], kind: ItemKind): List | null {
  const fits = listsOf(lines).filter(({ title }) => HEADINGS[kind].test(title));
  return fits.find(({ isNumbered }) => isNumbered === (kind === "step")) ?? fits[0] ?? null;
}

/** The items of a skill's list of steps or rules. */
export function itemsOf(skill: string, kind: ItemKind): string[] {
  return listOf(skill.split("\n"), kind)?.items.map(({ text }) => text) ?? [];
}

/**
 * What a skill tells to do, without marks of emphasis: its steps, or the first list of a skill that
 * has no such heading.
 */
export function stepsOf(skill: string): string[] {
  const lines = skill.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n");
  const sections = sectionsOf(lines);
  const isCode = codeLines(lines);
  const itemsIn = (start: number, end: number) =>
    lines
      .slice(start, end)
      .flatMap((line, at) => (isCode[start + at] ? [] : (ITEM.exec(line)?.[3] ?? [])));
  const own = sections.find(({ title }) => HEADINGS.step.test(title));
  const hasRules = sections.some(({ title }) => HEADINGS.rule.test(title));
  const found = own ? itemsIn(own.start + 1, own.end) : hasRules ? [] : itemsIn(0, lines.length);
  return found
    .map((step) => step.replace(/\*\*|__|`/g, "").trim())
    .filter(Boolean)
    .slice(0, STEPS_MAX);
}

/**
 * Takes out, puts in or replaces items of the list under the heading of its kind, which is added
 * where it is missing.
 */
export function changeItems(
  skill: string,
  kind: ItemKind,
  at: number,
  remove: number,
  put: readonly string[],
): string {
  const list = listOf(skill.split("\n"), kind);
  return list ? changeList(skill, list, at, remove, put) : addList(skill, kind, put);
}

/** Adds a list under a heading of its own, or under the one that is there and holds none. */
export function addList(skill: string, kind: ItemKind, items: readonly string[]): string {
  const made = items
    .map((text, at) => (kind === "step" ? `${at + 1}. ${text}` : `- ${text}`))
    .join("\n");
  const there = sectionsOf(skill.split("\n")).find(({ title }) => HEADINGS[kind].test(title));
  return there
    ? appendTo(skill, there, made)
    : addSection(skill, kind === "step" ? "Steps" : "Rules", made);
}

/**
 * Takes out, puts in or replaces items and touches no other line but the numbers of those that
 * follow.
 */
export function changeList(
  skill: string,
  { items, isNumbered }: List,
  at: number,
  remove: number,
  put: readonly string[],
): string {
  const lines = skill.split("\n");
  const [first, last] = [items[0]?.start ?? 0, items.at(-1)?.end ?? 0];
  const [, mark = "-", gap = " "] = ITEM.exec(lines[first] ?? "") ?? [];
  // New items end as those that are there do.
  const isStopped = items.length > 1 && items.every(({ text }) => text.endsWith("."));
  const made = put.map(
    (text) =>
      `${mark}${gap.replace("x", " ")}${text}${isStopped && /[\p{L}\p{N}]$/u.test(text) ? "." : ""}`,
  );
  const start = items[at]?.start ?? last;
  const end = remove > 0 ? (items[at + remove - 1]?.end ?? start) : start;
  // Blank lines between items stay so.
  const isLoose = items.length > 1 && lines[items[0]?.end ?? 0] === "";
  const spaced = made.flatMap((line) =>
    !isLoose ? [line] : start === last ? ["", line] : remove > 0 ? [line] : [line, ""],
  );
  const stop = isLoose && remove > made.length && lines[end] === "" && end < last ? end + 1 : end;
  const next = [...lines.slice(first, start), ...spaced, ...lines.slice(stop, last)];
  return [
    ...lines.slice(0, first),
    ...(isNumbered ? renumber(next, lines, items) : next),
    ...lines.slice(last),
  ].join("\n");
}

/**
 * Puts the items of a list, each with the lines that hang under it, into another order; null where
 * other text stands between them.
 */
export function orderList(
  skill: string,
  { items, isNumbered }: List,
  order: readonly number[],
): string | null {
  const lines = skill.split("\n");
  const [first = 0, last = 0] = [items[0]?.start, items.at(-1)?.end];
  const gaps = new Set(
    items
      .slice(1)
      .map(
        ({ start }, at) =>
          lines.slice(items[at]?.end, start).join("\n") + (start - (items[at]?.end ?? 0)),
      ),
  );
  if (gaps.size > 1 || ![undefined, "0", "1"].includes([...gaps][0])) return null;
  const gap = gaps.has("1") ? [""] : [];
  const blocks = order.flatMap((at, place) => [
    ...(place > 0 ? gap : []),
    ...lines.slice(items[at]?.start, items[at]?.end),
  ]);
  return [
    ...lines.slice(0, first),
    ...(isNumbered ? renumber(blocks, lines, items) : blocks),
    ...lines.slice(last),
  ].join("\n");
}

/** Numbers on from the first of the list that was; one that repeats a number goes on to. */
function renumber(
  next: readonly string[],
  lines: readonly string[],
  items: List["items"],
): string[] {
  const numbers = items.map(({ start }) => /^\d+/.exec(lines[start] ?? "")?.[0] ?? "1");
  const isRepeated = numbers.length > 1 && new Set(numbers).size === 1;
  const isCode = codeLines(next);
  let number = Number(numbers[0] ?? 1) - 1;
  return next.map((line, at) => {
    if (isCode[at] || !/^\d+[.)]\s/.test(line)) return line;
    if (!isRepeated) number += 1;
    return line.replace(/^\d+/, isRepeated ? (numbers[0] ?? "") : String(number));
  });
}

/** Adds text at the end of what stands under a heading itself. */
export function appendTo(skill: string, { start, end }: Section, text: string): string {
  const lines = skill.split("\n");
  const next = sectionsOf(lines).find((other) => other.start > start)?.start ?? end;
  let at = Math.min(next, end);
  while (at > start + 1 && (lines[at - 1] ?? "").trim() === "") at -= 1;
  return [...lines.slice(0, at), "", text, ...lines.slice(at)].join("\n");
}

/** Adds a section at the end, under a heading of the size that the others have. */
export function addSection(skill: string, heading: string, text: string): string {
  const levels = sectionsOf(skill.split("\n")).map(({ level }) => level);
  const level = levels.filter((one) => one > 1).at(-1) ?? 2;
  return `${skill.trimEnd()}\n\n${"#".repeat(level)} ${heading}\n\n${text}\n`;
}

/** Sets what stands under a heading, which is added at the end where it is missing. */
export function setSection(skill: string, heading: string, text: string): string {
  const lines = skill.split("\n");
  const section = sectionsOf(lines).find(({ title }) =>
    title.toLowerCase().startsWith(heading.toLowerCase()),
  );
  if (!section) return addSection(skill, heading, text);
  const after = lines.slice(section.end);
  return [...lines.slice(0, section.start + 1), "", text, "", ...after].join("\n");
}
