import { expect, it } from "vitest";
import { runOffline } from "./test/offline-run";
import { STRANGERS_FILES, STRANGERS_QUESTIONS } from "./test/strangers-questions";

const ask = async (file: keyof typeof STRANGERS_FILES, request: string) =>
  (await runOffline({ files: { [file]: STRANGERS_FILES[file] }, input: { request } })).text;
const isRefusal = (text: string) => /Not done:|cannot answer this by itself/.test(text);
/** Measured when the set was new: refusing everything is no way to pass. */
const ANSWERED_MIN = 34;

let answered = 0;

it.each(STRANGERS_QUESTIONS)(
  "answers rightly or names what it does not understand: %s: %s",
  async (file, question, right) => {
    const text = await ask(file, question);
    if (!isRefusal(text)) {
      answered += 1;
      for (const part of Array.isArray(right) ? right : [/a refusal/]) expect(text).toMatch(part);
    } else if (!Array.isArray(right)) expect(text.toLowerCase()).toContain(right.names);
  },
);

it("answers most of what has an answer", () => {
  expect(answered).toBeGreaterThanOrEqual(ANSWERED_MIN);
});
