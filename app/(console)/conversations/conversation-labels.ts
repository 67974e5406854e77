import { CONVERSATION_TITLE_MAX_CHARACTERS } from "@/lib/model/limits";
import type { ConversationFamily } from "@/lib/model/run/run-kind";

/** What the families are called where people read them. */
export const FAMILY_NAMES: Record<ConversationFamily, string> = {
  agent: "Agent runs",
  creation: "Building agents",
  super_agent: "Super-agent",
};

export const FAMILY_FILTERS = [
  { value: "all", label: "All" },
  { value: "agent", label: FAMILY_NAMES.agent },
  { value: "creation", label: FAMILY_NAMES.creation },
] as const;

type FamilyFilter = (typeof FAMILY_FILTERS)[number]["value"];

/** The API's `family` parameter. */
export function toFamily(filter: string): Exclude<FamilyFilter, "all"> | undefined {
  return filter === "agent" || filter === "creation" ? filter : undefined;
}

/**
 * What a conversation is called: its first words; of named inputs, which begin as JSON and may be
 * cut, the names and values.
 */
export function conversationTitle(title: string): string {
  if (title === "") return "Without words";
  const isCut = Array.from(title).length >= CONVERSATION_TITLE_MAX_CHARACTERS;
  const rest = isCut ? "…" : "";
  if (!title.startsWith('{ "')) return title + rest;
  return withoutQuotes(title.replace(/^\{ /, "").replace(/ ?\}$/, "")) + rest;
}

/**
 * The text of a JSON object without the marks around its names and texts; what is escaped stays as
 * it is.
 */
function withoutQuotes(text: string): string {
  let plain = "";
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character !== '"') {
      plain += character;
      continue;
    }
    const end = endOfText(text, at + 1);
    if (end === null) return plain + text.slice(at);
    plain += text.slice(at + 1, end);
    at = end;
  }
  return plain;
}

/** Where the mark stands that ends a text; null where it was cut before. */
function endOfText(text: string, start: number): number | null {
  for (let at = start; at < text.length; at += text.charAt(at) === "\\" ? 2 : 1)
    if (text.charAt(at) === '"') return at;
  return null;
}
