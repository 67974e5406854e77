import "server-only";

const STEPS_MAX = 20;
/** The heading that a request stands under, word for word. */
export const TASK_HEADING = "Task";

/** A heading of a skill with what stands under it, smaller headings too. */
interface Section {
  title: string;
  level: number;
  /** The line of the heading, and one past the last line. */
  start: number;
  end: number;
}

interface Item {
  /** The line of the item, and one past the last line that hangs under it. */
  start: number;
  end: number;
  /** `-`, `*`, `3.`: what stands before its text. */
  mark: string;
  text: string;
}

/** What stands in a fence is an example and no part of the skill's own form. */
function codeLines(lines: readonly string[]): boolean[] {
  let inCode = false;
  return lines.map((line) => {
    const isFence = line.trimStart().startsWith("```");
    if (isFence) inCode = !inCode;
    return inCode || isFence;
  });
}

const HEADING_LEVELS_MAX = 6;

function sectionsOf(lines: readonly string[]): Section[] {
  const isCode = codeLines(lines);
  const found: Section[] = [];
  const open: Section[] = [];
  for (const [start, line] of lines.entries()) {
    let level = 0;
    while (line.charAt(level) === "#") level += 1;
    const isHeading = level > 0 && level <= HEADING_LEVELS_MAX && line.charAt(level) === " ";
    if (isCode[start] || !isHeading) continue;
    while ((open.at(-1)?.level ?? 0) >= level) {
      const ended = open.pop();
      if (ended) ended.end = start;
    }
    const section = { title: line.slice(level).trim(), level, start, end: lines.length };
    found.push(section);
    open.push(section);
  }
  return found;
}

/** An item that begins in a line: `- text`, `3. text`. */
function itemAt(line: string): Pick<Item, "mark" | "text"> | null {
  let at = 0;
  while (at < 6 && "0123456789".includes(line.charAt(at) || " ")) at += 1;
  const isNumber = at > 0 && ".)".includes(line.charAt(at) || " ");
  const end = isNumber ? at + 1 : "-*+".includes(line.charAt(0) || " ") ? 1 : 0;
  return end > 0 && line.charAt(end) === " "
    ? { mark: line.slice(0, end), text: line.slice(end).trim() }
    : null;
}

/** The items that begin between two lines, each with what is indented under it. */
function itemsBetween(lines: readonly string[], from: number, to: number): Item[] {
  const isCode = codeLines(lines);
  const items: Item[] = [];
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? "";
    const item = isCode[at] ? null : itemAt(line);
    const last = items.at(-1);
    if (item) items.push({ ...item, start: at, end: at + 1 });
    else if (last && last.end === at && line.startsWith(" ") && line.trim() !== "")
      last.end = at + 1;
  }
  return items;
}

/** Kinds of items that an edit names by number, and the headings that they stand under. */
const HEADINGS = { step: ["steps", "workflow", "instructions"], rule: ["rules", "guidelines"] };
export type ItemKind = keyof typeof HEADINGS;

function sectionOf(lines: readonly string[], kind: ItemKind): Section | undefined {
  return sectionsOf(lines).find(({ title }) => HEADINGS[kind].includes(title.toLowerCase()));
}

/** The items of a skill's list of steps or rules. */
export function itemsOf(skill: string, kind: ItemKind): string[] {
  const lines = skill.split("\n");
  const section = sectionOf(lines, kind);
  return section ? itemsBetween(lines, section.start + 1, section.end).map(({ text }) => text) : [];
}

/** What of a skill the rules read as work: its task, and the items of its steps. */
export interface SkillWork {
  task: string;
  steps: string[];
}

/** Steps come without marks of emphasis; those of a skill without headings are its list. */
export function workOf(skill: string): SkillWork {
  const lines = skill.split("\n");
  const sections = sectionsOf(lines);
  const task = sections.find(({ title }) => title === TASK_HEADING);
  const own = sectionOf(lines, "step");
  const hasParts = task !== undefined || sectionOf(lines, "rule") !== undefined;
  const [from, to] = own ? [own.start + 1, own.end] : hasParts ? [0, 0] : [0, lines.length];
  return {
    task: task
      ? lines
          .slice(task.start + 1, task.end)
          .join("\n")
          .trim()
      : "",
    steps: itemsBetween(lines, from, to)
      .map(({ text }) => text.replaceAll("**", "").replaceAll("__", "").replaceAll("`", "").trim())
      .filter(Boolean)
      .slice(0, STEPS_MAX),
  };
}

/**
 * Takes out, puts in or replaces items of the list under the heading of its kind, and touches no
 * other line but the numbers of those that follow. Where there is no such heading it is added.
 */
export function changeItems(
  skill: string,
  kind: ItemKind,
  at: number,
  remove: number,
  put: readonly string[],
): string {
  const lines = skill.split("\n");
  const section = sectionOf(lines, kind);
  const items = section ? itemsBetween(lines, section.start + 1, section.end) : [];
  const mark = items[0]?.mark ?? (kind === "step" ? "1." : "-");
  const made = put.map((text) => `${mark} ${text}`);
  if (!section) {
    const heading = kind === "step" ? "Steps" : "Rules";
    return `${skill.trimEnd()}\n\n## ${heading}\n\n${numbered(made, 1).join("\n")}\n`;
  }
  const last = items.at(-1)?.end ?? section.start + 1;
  const start = items[at]?.start ?? last;
  const end = remove > 0 ? (items[at + remove - 1]?.end ?? start) : start;
  const first = items[0]?.start ?? last;
  const isEmpty = items.length === 0;
  const list = [...lines.slice(first, start), ...made, ...lines.slice(end, last)];
  const begin = Number.parseInt(mark, 10);
  return [
    ...lines.slice(0, first),
    ...(isEmpty ? [""] : []),
    ...numbered(list, Number.isNaN(begin) ? 1 : begin),
    ...lines.slice(last),
  ].join("\n");
}

/** Numbers of a list from its first one on; what is no numbered item stays as it is. */
function numbered(list: readonly string[], first: number): string[] {
  const isCode = codeLines(list);
  let number = first;
  return list.map((line, at) => {
    const item = isCode[at] ? null : itemAt(line);
    if (!item || Number.isNaN(Number.parseInt(item.mark, 10))) return line;
    const next = `${number}${item.mark.slice(-1)}${line.slice(item.mark.length)}`;
    number += 1;
    return next;
  });
}
