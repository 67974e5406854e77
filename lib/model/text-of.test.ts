import { expect, test } from "vitest";
import { z } from "zod";
import { textOf } from "@/lib/model/text-of";

test("a text is refused exactly where the published schema refuses it, with one sentence", () => {
  const name = textOf(3, { min: 1, message: "must have 1 to 3 characters" }).refine(
    () => false,
    "not reached by a text that is too long",
  );
  expect(z.toJSONSchema(name)).toMatchObject({ type: "string", minLength: 1, maxLength: 3 });
  for (const good of ["a", "abc", "🌍🌍🌍"]) expect(textOf(3).safeParse(good).success).toBe(true);
  for (const bad of ["", "abcd", "🌍🌍🌍🌍"]) {
    const { error } = name.safeParse(bad);
    expect(error?.issues.map(({ message }) => message)).toEqual(["must have 1 to 3 characters"]);
  }
  expect(name.safeParse(7).error?.issues).toMatchObject([{ message: "must be a text" }]);
});
