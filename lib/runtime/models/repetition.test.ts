import { expect, test } from "vitest";
import { RepetitionWatch } from "@/lib/runtime/models/repetition";

/** What the watch says of a text that comes in pieces; and how much of it had come by then. */
function watch(text: string, size = 17): { once: number | null; after: number } {
  const watched = new RepetitionWatch();
  for (let at = 0; at < text.length; at += size) {
    const once = watched.push(text.slice(at, at + size));
    if (once !== null) return { once, after: at + size };
  }
  return { once: null, after: text.length };
}

test.each([
  ["a sentence", "I will look at the file now. "],
  ["a sentence of few signs", "我现在来看这个文件。"],
  ["a paragraph", `${"Words that say something, and then some. ".repeat(8)}End of it.\n\n`],
])("%s that is said again and again is noticed within some thousand characters", (_, unit) => {
  const begin = "Let me see what there is.\n\n";
  const { once, after } = watch(begin + unit.repeat(Math.ceil(20_000 / unit.length)));
  expect(once).not.toBeNull();
  expect(once).toBeLessThanOrEqual(begin.length + unit.length);
  expect(after).toBeLessThan(5_500);
});

test("a word is let be for some four thousand times: a row of zeros may be meant", () => {
  const begin = "Let me see what there is.\n\n";
  for (const unit of ["the ", "0, ", "La la la. ", "-"]) {
    const { once, after } = watch(begin + unit.repeat(Math.ceil(20_000 / unit.length)));
    expect(once).toBeLessThanOrEqual(begin.length + unit.length);
    expect(after).toBeGreaterThan(16_000);
    expect(after).toBeLessThan(17_500);
  }
  // What load tests have a model say.
  expect(watch("tok ".repeat(3_000), 4).once).toBeNull();
});

test("a word that goes on until its text is cut has come to nothing all the same", () => {
  const watched = new RepetitionWatch();
  expect(watched.push("0, ".repeat(2_000))).toBeNull();
  expect(watched.cut()).toBe(3);
  const short = new RepetitionWatch();
  short.push("0, ".repeat(1_000));
  expect(short.cut()).toBeNull();
});

test("a text that counts, a long table and a refrain are not taken for repetition", () => {
  const rows = Array.from({ length: 2_000 }, (_, row) => `| ${row} | 0 | 0 |`).join("\n");
  expect(watch(rows).once).toBeNull();
  const song = Array.from(
    { length: 60 },
    (_, verse) => `Verse ${verse} has words of its own.\n${"La la la. ".repeat(20)}\n`,
  ).join("");
  expect(watch(song).once).toBeNull();
  expect(watch(`${"-".repeat(3_000)}\n`).once).toBeNull();
});
