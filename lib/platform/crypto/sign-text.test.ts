import { expect, test } from "vitest";
import { readSignedText, signText } from "@/lib/platform/crypto/sign-text";

const SECRET = "a secret of this test";
const now = new Date("2026-11-23T12:00:00Z");
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const signed = signText("who signs in here", {
  secret: SECRET,
  purpose: "device",
  expiresInSeconds: 60,
  now,
});

test("a signed text is read back until its end, and not afterwards", () => {
  const read = (at: Date) => readSignedText(signed, { secret: SECRET, purpose: "device", now: at });
  expect([read(now), read(later(59)), read(later(60))]).toEqual([
    "who signs in here",
    "who signs in here",
    null,
  ]);
});

test("another purpose or secret, a changed part and unsigned text are not read", () => {
  const [expires, text, signature] = signed.split(".");
  const read = (value: string, more: { secret?: string; purpose?: string } = {}) =>
    readSignedText(value, { secret: SECRET, purpose: "device", now, ...more });
  expect(read(signed)).not.toBeNull();
  expect(read(signed, { purpose: "sign-up" })).toBeNull();
  expect(read(signed, { secret: "another" })).toBeNull();
  for (const changed of [
    `${Number(expires) + 1}.${text}.${signature}`,
    `${expires}.${Buffer.from("somebody else").toString("base64url")}.${signature}`,
    `${expires}.${text}.${signature}x`,
    `${signed}.more`,
    `${expires}.${text}`,
    "",
    ".".repeat(5_000),
  ])
    expect(read(changed), changed.slice(0, 60)).toBeNull();
});

test("an empty secret signs nothing", () => {
  expect(() => signText("x", { secret: "", purpose: "p", expiresInSeconds: 1 })).toThrow(
    /SIGNING_SECRET/,
  );
});
