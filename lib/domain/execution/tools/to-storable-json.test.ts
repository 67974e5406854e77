import { expect, it } from "vitest";
import { toStorableJson } from "@/lib/domain/execution/tools/tool-call";

it("replaces what Postgres refuses, and nothing that only looks like it", () => {
  const value = {
    nul: "a\u0000b",
    half: "a\ud800b",
    pair: "😀",
    text: "C:\\u0000 and \\ud800",
    "k\u0000": 1,
  };
  expect(JSON.parse(toStorableJson(value))).toEqual({
    nul: "a\ufffdb",
    half: "a\ufffdb",
    pair: "😀",
    text: "C:\\u0000 and \\ud800",
    "k\ufffd": 1,
  });
  expect(toStorableJson(undefined)).toBe("null");
});
