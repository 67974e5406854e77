import { describe, expect, it } from "vitest";
import { readSignedUrl, signUrl } from "@/lib/platform/crypto/sign-url";

const secret = "a secret of the server";
const now = new Date("2030-01-01T00:00:00.400Z");
const path = "/api/artifacts/0190a0a0-0000-7000-8000-000000000000";
const signed = signUrl(path, { secret, scope: "account-1", expiresInSeconds: 900, now });
const holds = (text: string, at = now, by = secret) =>
  readSignedUrl(new URL(text, "https://host.example"), { secret: by, now: at })?.scope ===
  "account-1";
const later = (ms: number) => new Date(now.getTime() + ms);

describe("signUrl", () => {
  it("holds for its time and not a moment longer", () => {
    expect(holds(signed)).toBe(true);
    expect(holds(signed, later(900_000))).toBe(true);
    expect(holds(signed, later(900_600))).toBe(false);
    expect(holds(signed, later(1e12))).toBe(false);
  });

  it("holds for no other path, end or secret", () => {
    const [, query] = signed.split("?");
    expect(holds(`/api/artifacts/other?${query}`)).toBe(false);
    expect(holds(`${path}/?${query}`)).toBe(false);
    expect(holds(signed.replace(/expires=\d+/, (text) => `${text}0`))).toBe(false);
    expect(holds(signed, now, "another secret")).toBe(false);
  });

  it("holds for no other scope", () => {
    expect(holds(signed.replace("scope=account-1", "scope=account-2"))).toBe(false);
    expect(
      readSignedUrl(new URL(signed.replace("account-1", "account-2"), "https://host.example"), {
        secret,
        now,
      }),
    ).toBeNull();
    expect(holds(`${signed}&scope=account-1`)).toBe(false);
    expect(holds(signed.replace("&scope=account-1", ""))).toBe(false);
  });

  it("holds with no part of the query missing, doubled or changed", () => {
    const { searchParams } = new URL(signed, "https://host.example");
    const [expires, signature] = [
      searchParams.get("expires"),
      `scope=account-1&signature=${searchParams.get("signature")}`,
    ];
    for (const query of [
      "",
      `expires=${expires}`,
      signature,
      `expires=${expires}&scope=account-1&signature=`,
      `expires=${expires}&${signature}x`,
      `expires=0${expires}&${signature}`,
      `expires=${expires}.0&${signature}`,
      `expires=${expires}&${signature}&expires=9999999999`,
      `expires=Infinity&${signature}`,
      `expires=${expires}&${signature.toLowerCase()}`,
    ]) {
      expect(holds(`${path}?${query}`), query).toBe(false);
    }
    expect(holds(`${path}?${signature}&expires=${expires}&download=1`)).toBe(true);
  });

  it("does not sign, nor accept, without a secret", () => {
    expect(() => signUrl(path, { secret: "", scope: "x", expiresInSeconds: 1 })).toThrow(
      /SIGNING_SECRET/,
    );
    expect(() => holds(signed, now, "")).toThrow(/SIGNING_SECRET/);
  });
});
