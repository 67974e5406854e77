import fc from "fast-check";
import { expect, test } from "vitest";
import { outputRedactor } from "@/lib/domain/execution/with-run-log";
import { createRedactor } from "@/lib/platform/crypto/redact";

function filtered(deltas: string[], secrets: string[] = []): string {
  const filter = outputRedactor(createRedactor(secrets));
  return deltas.map((delta) => filter.push(delta)).join("") + filter.end();
}

test("a character whose halves come in two pieces is whole, and no piece holds half of one", () => {
  const filter = outputRedactor(createRedactor([]));
  expect(["a\ud83d", "\ude00b"].map((delta) => filter.push(delta))).toEqual(["a", "😀b"]);
});

test("NUL characters and lone halves become U+FFFD, at the end too", () => {
  expect(filtered(["a\u0000b\ud800", "c\udc00", "\ud800\ud800"])).toBe("a\ufffdb\ufffdc\ufffd\ufffd\ufffd");
});

test("however a text is cut, it comes out the same, and a secret within it does not", () => {
  const unit = fc.constantFrom("s", "secret-1", "\u0000", "\ud83d", "\ude00", "x", "😀");
  fc.assert(
    fc.property(fc.array(unit), fc.nat(40), (units, cut) => {
      const text = units.join("");
      const whole = filtered([text], ["secret-1"]);
      expect(filtered([text.slice(0, cut), "", text.slice(cut)], ["secret-1"])).toBe(whole);
      expect([whole.isWellFormed(), /secret-1|\0/.test(whole)]).toEqual([true, false]);
    }),
  );
});
