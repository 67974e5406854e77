import { describe, expect, it } from "vitest";
import { HONESTY_CASES } from "./test/honesty-cases";
import { MADE_UP_FILES } from "./test/made-up-files";
import { runOffline } from "./test/offline-run";

describe("every answer is right or a plain refusal", () => {
  it.each(HONESTY_CASES)("%s: %s", async (file, question, expected) => {
    const { text } = await runOffline({
      files: { [file]: MADE_UP_FILES[file] },
      input: { request: question },
    });
    if ("right" in expected)
      for (const part of expected.right)
        expect(text).toMatch(
          part instanceof RegExp ? part : new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")),
        );
    else {
      expect(text).toContain("cannot answer this by itself");
      expect(text).not.toMatch(/\*\*|Source:|HACKED/);
      for (const word of expected.refused) expect(text.toLowerCase()).toContain(word);
    }
  });
});
