import { expect, test } from "vitest";
import { metadataField } from "@/lib/model/fields/shared-fields";

test("of a hundred thousand pairs their number is told, and nothing of each", () => {
  const pairs = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]));
  const { error } = metadataField.safeParse(pairs);
  expect(error?.issues.map(({ message }) => message)).toEqual(["may have at most 16 pairs"]);
});

test("of few pairs each that does not fit is told", () => {
  const { error } = metadataField.safeParse({ "": "x", a: 1, b: "x" });
  expect(error?.issues.map(({ path }) => path)).toEqual([[""], ["a"]]);
  expect(metadataField.parse({ a: "x" })).toEqual({ a: "x" });
});
