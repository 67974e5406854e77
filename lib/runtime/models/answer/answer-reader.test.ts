import { describe, expect, it } from "vitest";
import { AnswerReader } from "@/lib/runtime/models/answer/answer-reader";

const FORM = { keys: { answer: "answer", missing: "missing" }, takesNull: false };

/** What is shown of a text that comes in these pieces, and what its end says. */
function read(pieces: readonly string[], form = FORM) {
  const reader = new AnswerReader(form);
  let shown = pieces.map((piece) => reader.push(piece)).join("");
  const { rest, missing } = reader.end();
  shown += rest;
  return { shown, missing };
}

/** However the text is cut, the same comes out. */
function readAnyhow(text: string, form = FORM) {
  const whole = read([text], form);
  expect(read([...text], form)).toEqual(whole);
  for (let at = 1; at < text.length; at += 7)
    expect(read([text.slice(0, at), text.slice(at)], form), `cut at ${at}`).toEqual(whole);
  return whole;
}

describe("an answer in its envelope", () => {
  it.each([
    [
      '{"answer": {"city": "Bern", "n": [1, {"a": 2}]}, "missing": []}',
      '{"city": "Bern", "n": [1, {"a": 2}]}',
    ],
    ['{"missing":[],"answer":[1,2,"]"]}', '[1,2,"]"]'],
    [' \n{\n "answer" : "a \\"quoted\\" } text", "missing": [ ] }\n', '"a \\"quoted\\" } text"'],
    ['{"answer":12.5e3,"missing":[]}', "12.5e3"],
    ['{"answer":true}', "true"],
    ['```json\n{"answer": {"missing": null, "answer": 1}}\n```', '{"missing": null, "answer": 1}'],
    ['{"answer": "🦉 \\ud83e\\udd89", "missing": []}', '"🦉 \\ud83e\\udd89"'],
    ['{"answer": {"a": 1}, "missing": ["b"]}', '{"a": 1}'],
    ['{"answer": null, "missing": []}', "null"],
  ])("%s is read without it", (text, shown) => {
    expect(readAnyhow(text)).toEqual({ shown, missing: null });
  });

  it.each([
    [
      '{"answer": null, "missing": ["the amount", " the\\n currency. "]}',
      ["the amount", "the currency"],
    ],
    ['{"missing": ["the amount"], "answer": null}', ["the amount"]],
    ['{"missing": "the amount"}', ["the amount"]],
    ['{"answer": null , "missing": ["", 3, "the amount"]}', ["the amount"]],
  ])("%s says what is missing", (text, missing) => {
    expect(readAnyhow(text)).toEqual({ shown: `Not found: ${missing.join("; ")}.`, missing });
  });

  it.each([
    "Nothing of it is there.",
    '{"city": "Bern", "answer": 1}',
    "{}",
    "[1, 2]",
    "null",
    "```js\nf()\n```",
    '{"ans',
    "  {",
    "",
    "`",
  ])("what is none passes as it is: %s", (text) => {
    expect(readAnyhow(text)).toEqual({ shown: text, missing: null });
  });

  it("is null where the schema takes that, whatever is missing", () => {
    const form = { ...FORM, takesNull: true };
    const text = '{"answer": null, "missing": ["the amount"]}';
    expect(readAnyhow(text, form)).toEqual({ shown: "null", missing: null });
  });

  it("is shown as it comes, and is cut where it was cut", () => {
    const reader = new AnswerReader(FORM);
    expect(reader.push('{"answer": {"te')).toBe('{"te');
    expect(reader.push('xt": "on')).toBe('xt": "on');
    expect(reader.end()).toEqual({ rest: "", missing: null });
    expect(readAnyhow('{"answer": nu')).toEqual({ shown: "", missing: null });
  });

  it("goes by other names where the schema has these itself", () => {
    const form = { ...FORM, keys: { answer: "answer_1", missing: "missing" } };
    expect(readAnyhow('{"answer_1": {"answer": "yes"}}', form).shown).toBe('{"answer": "yes"}');
    expect(readAnyhow('{"answer": "yes"}', form).shown).toBe('{"answer": "yes"}');
  });

  it("reads what comes byte by byte in linear time, and blanks without end", () => {
    const started = performance.now();
    const reader = new AnswerReader(FORM);
    for (const piece of ['{"answer":"', ..."x".repeat(500_000), '"}']) reader.push(piece);
    const blank = new AnswerReader(FORM);
    for (const piece of " ".repeat(500_000)) blank.push(piece);
    expect(reader.end()).toEqual({ rest: "", missing: null });
    expect(performance.now() - started).toBeLessThan(20_000);
  }, 30_000);

  it("names at most twenty things, each in 200 characters", () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index} ${"x".repeat(400)}`);
    const { missing } = read([JSON.stringify({ answer: null, missing: names })]);
    expect(missing).toHaveLength(20);
    expect(Math.max(...(missing ?? []).map(({ length }) => length))).toBe(200);
  });
});
