import { expect, test } from "vitest";
import { CONVERSATION_TITLE_MAX_CHARACTERS } from "@/lib/model/limits";
import { conversationTitle } from "./conversation-labels";

test("a conversation is called by its first words, and words that were cut say so", () => {
  expect(conversationTitle("")).toBe("Without words");
  expect(conversationTitle("Which month was best?")).toBe("Which month was best?");
  const cut = "ä".repeat(CONVERSATION_TITLE_MAX_CHARACTERS);
  expect(conversationTitle(cut)).toBe(`${cut}…`);
});

test("named inputs are called by their names and values, cut or whole", () => {
  expect(conversationTitle('{ "city": "Oslo", "days": 3 }')).toBe("city: Oslo, days: 3");
  const cut = `{ "text": "${"x".repeat(CONVERSATION_TITLE_MAX_CHARACTERS)}`.slice(
    0,
    CONVERSATION_TITLE_MAX_CHARACTERS,
  );
  expect(conversationTitle(cut)).toMatch(/^text: "x+…$/);
});
