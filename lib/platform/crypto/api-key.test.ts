import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createApiKey, hashApiKey, looksLikeApiKey, toBase62 } from "@/lib/platform/crypto/api-key";

describe("createApiKey", () => {
  it("gives prefix, 43 characters of secret and 6 of checksum, never the same twice", () => {
    const keys = Array.from({ length: 200 }, () => createApiKey("account"));
    for (const key of keys) expect(key).toMatch(/^svc_sk_[0-9A-Za-z]{49}$/);
    expect(new Set(keys).size).toBe(200);
    expect(createApiKey("app")).toMatch(/^appapi_[0-9A-Za-z]{49}$/);
  });
});

describe("looksLikeApiKey", () => {
  it("knows its own keys, of its own kind only", () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const [account, app] = [createApiKey("account"), createApiKey("app")];
      expect([looksLikeApiKey(account, "account"), looksLikeApiKey(app, "app")]).toEqual([
        true,
        true,
      ]);
      expect([looksLikeApiKey(account, "app"), looksLikeApiKey(app, "account")]).toEqual([
        false,
        false,
      ]);
      expect(looksLikeApiKey(account.replace("svc_sk_", "appapi_"), "app")).toBe(false);
    }
  });

  it("notices every single wrong character, and every two that changed places", () => {
    const key = createApiKey("account");
    for (let at = 0; at < key.length; at += 1) {
      const other = key.charAt(at) === "x" ? "y" : "x";
      expect(
        looksLikeApiKey(key.slice(0, at) + other + key.slice(at + 1), "account"),
        `character ${at}`,
      ).toBe(false);
      const swapped = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
      if (swapped !== key)
        expect(looksLikeApiKey(swapped, "account"), `characters ${at} and next`).toBe(false);
    }
  });

  it("refuses anything around a key, and any other text", () => {
    const key = createApiKey("account");
    for (const text of [
      "",
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      key.replace(/.$/, "-"),
      "svc_sk_",
    ]) {
      expect(looksLikeApiKey(text, "account"), JSON.stringify(text)).toBe(false);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => void expect(looksLikeApiKey(`svc_sk_${text}`, "account")).toBe(false),
      ),
    );
  });
});

describe("hashApiKey", () => {
  it("is the SHA-256 of the whole text", () => {
    const key = createApiKey("app");
    expect(Buffer.from(hashApiKey(key)).toString("hex")).toBe(
      createHash("sha256").update(key).digest("hex"),
    );
    expect(hashApiKey(key)).toHaveLength(32);
  });
});

describe("toBase62", () => {
  it("keeps 32 bytes apart in 43 characters, from all zeros to all ones", () => {
    expect(toBase62(new Uint8Array(32), 43)).toBe("0".repeat(43));
    const most = toBase62(new Uint8Array(32).fill(255), 43);
    let value = 0n;
    for (const char of most)
      value =
        value * 62n +
        BigInt("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(char));
    expect(value).toBe(2n ** 256n - 1n);
  });
});
