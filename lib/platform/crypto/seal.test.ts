import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKeyRing } from "@/lib/platform/crypto/key-ring";
import { needsRotation, openSealed, SealBroken, seal } from "@/lib/platform/crypto/seal";

const entry = (id: string) => ({ id, key: randomBytes(32).toString("base64") });
const [first, second] = [entry("k1"), entry("k2")];
const ringOf = (...entries: { id: string; key: string }[]) => parseKeyRing(JSON.stringify(entries));
const ring = ringOf(first);
const scope = { accountId: "a1", name: "GITHUB_TOKEN" };

describe("seal", () => {
  it("opens to what was sealed, any text, and never shows it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = seal(ring, text, scope);
        expect(openSealed(ring, sealed, scope)).toBe(text);
        if (text.length > 8) expect(sealed).not.toContain(text);
      }),
    );
    const large = "ü".repeat(32_768);
    expect(openSealed(ring, seal(ring, large, scope), scope)).toBe(large);
  });

  it("is another text each time", () => {
    expect(new Set(Array.from({ length: 100 }, () => seal(ring, "same", scope))).size).toBe(100);
  });

  it("opens for no other account or name, nor for a pair that reads the same", () => {
    const sealed = seal(ring, "value", scope);
    for (const other of [
      { ...scope, accountId: "a2" },
      { ...scope, name: "OTHER" },
      { accountId: "a", name: "1GITHUB_TOKEN" },
      { accountId: "a1G", name: "ITHUB_TOKEN" },
    ]) {
      expect(() => openSealed(ring, sealed, other)).toThrow(SealBroken);
    }
  });

  it("does not open once a single character has changed, or been cut off", () => {
    const sealed = seal(ring, "value", scope);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed.charAt(at) === "A" ? "Q" : "A";
      expect(
        () => openSealed(ring, sealed.slice(0, at) + other + sealed.slice(at + 1), scope),
        `character ${at}`,
      ).toThrow(SealBroken);
      expect(() => openSealed(ring, sealed.slice(0, at), scope), `cut at ${at}`).toThrow(
        SealBroken,
      );
    }
  });

  it("opens with an older key after a rotation, asking for one, until it is gone", () => {
    const sealed = seal(ring, "value", scope);
    const rotated = ringOf(second, first);
    expect([needsRotation(ring, sealed), needsRotation(rotated, sealed)]).toEqual([false, true]);
    expect(openSealed(rotated, sealed, scope)).toBe("value");
    const again = seal(rotated, "value", scope);
    expect([needsRotation(rotated, again), openSealed(ringOf(second), again, scope)]).toEqual([
      false,
      "value",
    ]);
    expect(() => openSealed(ringOf(second), sealed, scope)).toThrow(SealBroken);
  });

  it("does not open with another key under the same id", () => {
    expect(() =>
      openSealed(ringOf({ ...second, id: "k1" }), seal(ring, "value", scope), scope),
    ).toThrow(SealBroken);
  });
});

describe("parseKeyRing", () => {
  it("takes the first key as the current one", () => {
    expect(ringOf(second, first)).toMatchObject({ currentId: "k2" });
  });

  it("says in a sentence what is wrong, without showing a key", () => {
    const short = { id: "k3", key: randomBytes(16).toString("base64") };
    const bad = [
      "",
      "[]",
      "{}",
      "null",
      "nonsense",
      JSON.stringify([{ id: "a b", key: first.key }]),
      JSON.stringify([short]),
      JSON.stringify([first, first]),
      JSON.stringify([{ ...first, key: `${first.key}!` }]),
    ];
    for (const text of bad) {
      expect(() => parseKeyRing(text), text).toThrow(/ENCRYPTION_KEYS/);
      for (const key of [first.key, short.key]) {
        expect(() => parseKeyRing(text)).not.toThrow(
          expect.objectContaining({ message: expect.stringContaining(key) }),
        );
      }
    }
  });
});
