import "server-only";

const ITEM = /^([-*+]|\d+[.)])(\s+(?:\[[ x]\]\s+)?)(.*)$/;
const STEPS_MAX = 20;

/** A list under a heading of a skill: where its items stand, each with the lines that hang under it. */
interface List {
  lines: string[];
  /** First and one past the last line of each item. */
  items: { start: number; end: number; text: string }[];
  /** One past the last line of the section; null when there is no such heading. */
  end: number | null;
}

function findSection(lines: readonly string[], heading: RegExp): { start: number; end: number } | null {
  let inCode = false;
  const isHeading = lines.map((line) => {
    if (line.startsWith("```")) inCode = !inCode;
    return !inCode && /^#{1,6}\s/.test(line);
  });
  const at = lines.findIndex((line, index) => isHeading[index] && heading.test(line.replace(/^#+\s+/, "")));
  if (at < 0) return null;
  const level = /^#+/.exec(lines[at] ?? "")?.[0].length ?? 1;
  const next = lines.findIndex((line, index) => index > at && isHeading[index] && (/^#+/.exec(line)?.[0].length ?? 9) <= level);
  return { start: at + 1, end: next < 0 ? lines.length : next };
}

function readList(skill: string, heading: RegExp): List {
  const lines = skill.split("\n");
  const section = findSection(lines, heading);
  const items: List["items"] = [];
  for (let at = section?.start ?? lines.length; at < (section?.end ?? 0); at += 1) {
    const text = ITEM.exec(lines[at] ?? "")?.[3];
    const open = items.at(-1);
    if (text !== undefined) items.push({ start: at, end: at + 1, text });
    // What is indented under an item belongs to it, blank lines between such lines too.
    else if (open && /^\s+\S/.test(lines[at] ?? "") && lines.slice(open.end, at).every((line) => line.trim() === "")) open.end = at + 1;
  }
  return { lines, items, end: section?.end ?? null };
}

const HEADINGS = {
  step: /^(?:the\s+)?(?:steps?|workflow|instructions?|process|procedure|what to do)\b/i,
  rule: /^(?:the\s+)?(?:rules?|guidelines|constraints)\b/i,
};
export type ItemKind = keyof typeof HEADINGS;

/** The items of a skill's list of steps or rules. */
export function itemsOf(skill: string, kind: ItemKind): string[] {
  return readList(skill, HEADINGS[kind]).items.map(({ text }) => text);
}

/** What a skill tells to do, without marks of emphasis: its steps, or the first list of a skill that has no such heading. */
export function stepsOf(skill: string): string[] {
  const body = skill.replace(/^---\n[\s\S]*?\n---\n/, "");
  const steps = itemsOf(body, "step");
  const loose = body
    .split(/^```.*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("\n")
    .split("\n")
    .flatMap((line) => ITEM.exec(line)?.[3] ?? []);
  const found =
    steps.length > 0 || readList(body, HEADINGS.step).end !== null ? steps : readList(body, HEADINGS.rule).end === null ? loose : [];
  return found
    .map((step) => step.replace(/\*\*|__|`/g, "").trim())
    .filter(Boolean)
    .slice(0, STEPS_MAX);
}

/** Takes out, puts in or replaces items and touches no other line but the numbers of those that follow. */
export function changeItems(skill: string, kind: ItemKind, at: number, remove: number, put: readonly string[]): string {
  const { lines, items, end } = readList(skill, HEADINGS[kind]);
  const numbered = items[0] ? /^\d/.test(lines[items[0].start] ?? "") : kind === "step";
  const bullet = ITEM.exec(lines[items[0]?.start ?? -1] ?? "")?.[1] ?? "-";
  const made = put.map((text) => (numbered ? `0. ${text}` : `${numbered ? "0." : bullet} ${text}`));
  if (end === null) return `${skill.trimEnd()}\n\n## ${kind === "step" ? "Steps" : "Rules"}\n\n${renumber(made).join("\n")}\n`;
  const start = items[at]?.start ?? items.at(-1)?.end ?? trimmedEnd(lines, end);
  const stop = remove > 0 ? (items[at + remove - 1]?.end ?? start) : start;
  const lead = items.length === 0 ? [""] : [];
  const first = items[0]?.start ?? start;
  const next = [...lines.slice(0, start), ...lead, ...made, ...lines.slice(stop)];
  const last = first + (items.at(-1)?.end ?? first) - first + made.length - (stop - start);
  return numbered
    ? [...next.slice(0, first), ...renumber(next.slice(first, last + lead.length)), ...next.slice(last + lead.length)].join("\n")
    : next.join("\n");
}

/** Puts an item, with the lines that hang under it, before the item that stands at another place, or at the end. */
export function moveItem(skill: string, kind: ItemKind, from: number, to: number): string {
  const { lines, items } = readList(skill, HEADINGS[kind]);
  const blocks = items.map(({ start, end }) => lines.slice(start, end));
  const [moved] = blocks.splice(from, 1);
  const [first, last] = [items[0]?.start, items.at(-1)?.end];
  if (moved === undefined || first === undefined || last === undefined) return skill;
  blocks.splice(to > from ? to - 1 : to, 0, moved);
  return [...lines.slice(0, first), ...renumber(blocks.flat()), ...lines.slice(last)].join("\n");
}

function trimmedEnd(lines: readonly string[], end: number): number {
  let at = end;
  while (at > 0 && (lines[at - 1] ?? "").trim() === "") at -= 1;
  return at;
}

function renumber(lines: readonly string[]): string[] {
  let number = 0;
  return lines.map((line) =>
    line.replace(/^\d+(?=[.)]\s)/, () => {
      number += 1;
      return String(number);
    }),
  );
}

/** Sets what stands under a heading, which is added at the end where it is missing. */
export function setSection(skill: string, heading: string, text: string): string {
  const lines = skill.split("\n");
  const section = findSection(lines, new RegExp(`^${heading}\\b`, "i"));
  if (section === null) return `${skill.trimEnd()}\n\n## ${heading}\n\n${text}\n`;
  return [...lines.slice(0, section.start), "", text, "", ...lines.slice(section.end)].join("\n");
}
