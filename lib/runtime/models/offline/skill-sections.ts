import "server-only";
import { stem, wordsOf } from "./words";

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/;

interface Section {
  lines: string[];
  /** First and one past the last line of what stands under the heading; null when there is no such heading. */
  body: { start: number; end: number } | null;
}

/** The list items under a heading. */
export function listItems(skill: string, heading: string): string[] {
  const { lines, body } = findSection(skill, heading);
  if (body === null) return [];
  return lines.slice(body.start, body.end).flatMap((line) => {
    const found = ITEM.exec(line);
    return found && found[1] === "" ? [found[2] ?? ""] : [];
  });
}

/** Rewrites the list under a heading, numbered for steps; makes the section when it is not there. Other lines stay. */
export function changeItems(skill: string, heading: string, change: (items: string[]) => string[]): string {
  const items = change(listItems(skill, heading));
  const list = items.map((item, index) => (heading === "Steps" ? `${index + 1}. ${item}` : `- ${item}`));
  const { lines, body } = findSection(skill, heading);
  if (body === null) return `${skill.trimEnd()}\n\n## ${heading}\n\n${list.join("\n")}\n`;
  const inside = lines.slice(body.start, body.end);
  const first = inside.findIndex((line) => ITEM.exec(line)?.[1] === "");
  const rest = inside.filter((line) => ITEM.exec(line)?.[1] !== "");
  const at = first < 0 ? rest.length : first;
  const next = first < 0 ? [...rest, ...list, ""] : [...rest.slice(0, at), ...list, ...rest.slice(at)];
  return [...lines.slice(0, body.start), ...next, ...lines.slice(body.end)].join("\n");
}

/** Sets the one rule of its kind, in place of the former one. */
export function setNamedRule(skill: string, kind: RegExp, rule: string): string {
  return changeItems(skill, "Rules", (rules) => [...rules.filter((existing) => !kind.test(existing)), rule]);
}

/** Sets what stands under a heading. */
export function setSection(skill: string, heading: string, text: string): string {
  const { lines, body } = findSection(skill, heading);
  if (body === null) return `${skill.trimEnd()}\n\n## ${heading}\n\n${text}\n`;
  return [...lines.slice(0, body.start), "", text, "", ...lines.slice(body.end)].join("\n");
}

/** The item that shares most words with a reference; null when none does, or two do alike. */
export function findItem(items: readonly string[], reference: string): number | null {
  const stems = (text: string) =>
    wordsOf(text)
      .filter((word) => word.length > 2)
      .map(stem);
  const wanted = new Set(stems(reference));
  const scores = items.map((item) => new Set(stems(item).filter((word) => wanted.has(word))).size);
  const best = Math.max(0, ...scores);
  return best === 0 || scores.filter((score) => score === best).length > 1 ? null : scores.indexOf(best);
}

function findSection(skill: string, heading: string): Section {
  const lines = skill.split("\n");
  const wanted = new RegExp(`^(#{1,6})\\s+(?:the\\s+)?${heading.replace(/s$/, "")}s?\\b`, "i");
  const at = lines.findIndex((line) => wanted.test(line));
  if (at < 0) return { lines, body: null };
  const level = /^#+/.exec(lines[at] ?? "")?.[0].length ?? 1;
  const next = lines.findIndex((line, index) => index > at && (/^#+/.exec(line)?.[0].length ?? 9) <= level);
  return { lines, body: { start: at + 1, end: next < 0 ? lines.length : next } };
}
