import { expect, test } from "vitest";
import { isEmailAddress } from "@/lib/model/text/email-address";
import { expectLinear } from "@/lib/platform/test/expect-linear";

test.each(["a@b.example", "a.b+c@sub.b.example", "ö@ü.example", `${"a".repeat(244)}@b.example`])(
  "%s is an address",
  (text) => {
    expect(isEmailAddress(text)).toBe(true);
  },
);

test.each([
  "",
  "a",
  "@b.example",
  "a@",
  "a@b",
  "a@.example",
  "a@b.",
  "a@b..example",
  "a@b@c.example",
  "a b@c.example",
  `${"a".repeat(245)}@b.example`,
])("%j is none", (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

test("a text of any length is judged at once", () =>
  expectLinear(100_000, (size) => `a@${".".repeat(size)}@`, isEmailAddress));
