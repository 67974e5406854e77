import { expect, test } from "vitest";
import { trimBoth, trimEnd, withoutTrailingSlashes } from "@/lib/model/text/trim";
import { expectLinear } from "@/lib/platform/test/expect-linear";

test("takes what stands at the ends, and nothing within", () => {
  expect(trimEnd("a-.b-.-", "-.")).toBe("a-.b");
  expect(trimBoth("--a-b--", "-")).toBe("a-b");
  expect(trimBoth("----", "-")).toBe("");
  expect(withoutTrailingSlashes("https://a.example/b//")).toBe("https://a.example/b");
  expect(withoutTrailingSlashes("")).toBe("");
});

test("costs as much as the text is long, also for a run that does not stand at the end", () =>
  expectLinear(200_000, (size) => `http://a${"/".repeat(size)}x`, withoutTrailingSlashes));
