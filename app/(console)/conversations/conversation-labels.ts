import { CONVERSATION_TITLE_MAX_CHARACTERS } from "@/lib/model/limits";
import type { ConversationFamily } from "@/lib/model/run/run-status";

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

/** What a conversation is called: its first words; of named inputs, which begin as JSON and may be cut, the names and values. */
export function conversationTitle(title: string): string {
  if (title === "") return "Without words";
  const isCut = Array.from(title).length >= CONVERSATION_TITLE_MAX_CHARACTERS;
  const rest = isCut ? "…" : "";
  if (!title.startsWith('{ "')) return title + rest;
  return title
    .replace(/^\{ /, "")
    .replace(/ ?\}$/, "")
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, "$1")
    .concat(rest);
}
