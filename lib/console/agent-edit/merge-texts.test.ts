import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeTexts } from "@/lib/console/agent-edit/merge-texts";
import { expectLinear } from "@/lib/platform/test/expect-linear";

const lines = fc
  .array(fc.constantFrom("", "a", "b", "c", "- d", "  e"), { maxLength: 12 })
  .map((all) => all.join("\n"));

test("a change of one side alone is taken whole, and the same change of both sides once", () => {
  fc.assert(
    fc.property(lines, lines, (base, changed) => {
      expect(mergeTexts(base, changed, base)).toEqual({ text: changed, conflicts: 0 });
      expect(mergeTexts(base, base, changed)).toEqual({ text: changed, conflicts: 0 });
      expect(mergeTexts(base, changed, changed)).toEqual({ text: changed, conflicts: 0 });
    }),
    { numRuns: 2_000 },
  );
});

test("changes of different places are both in the outcome, in whatever order", () => {
  const base = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  fc.assert(
    fc.property(fc.nat(11), fc.nat(11), (mine, theirs) => {
      fc.pre(Math.abs(mine - theirs) > 1);
      const merged = mergeTexts(
        base.join("\n"),
        base.with(mine, "mine").join("\n"),
        base.with(theirs, "theirs\nand more").join("\n"),
      );
      expect(merged).toEqual({
        text: base.with(mine, "mine").with(theirs, "theirs\nand more").join("\n"),
        conflicts: 0,
      });
    }),
  );
});

test("where both changed the same place, the own words stand, and it is counted", () => {
  expect(mergeTexts("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc\nd")).toEqual({
    text: "a\nmine\nc\nd",
    conflicts: 1,
  });
  expect(mergeTexts("a", "a\nmine", "a\ntheirs")).toEqual({ text: "a\nmine", conflicts: 1 });
  expect(mergeTexts("", "mine", "theirs")).toEqual({ text: "mine", conflicts: 1 });
});

test("texts without anything in common are merged at a linear cost", async () => {
  const text = (size: number, seed: number) =>
    Array.from(
      { length: size },
      (_, index) => `${(index * seed) % 7_919} words ${index % seed}`,
    ).join("\n");
  await expectLinear(
    1_000,
    (size) => [text(size, 3), text(size, 5), text(size, 7)] as const,
    (texts) => mergeTexts(...texts),
  );
});
