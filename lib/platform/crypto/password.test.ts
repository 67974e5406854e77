import { describe, expect, it } from "vitest";
import { hashPassword, PASSWORD_MAX_CHARS, verifyPassword } from "@/lib/platform/crypto/password";

describe("passwords", () => {
  it("fit their own hash and no other, with a new salt each time", async () => {
    const [one, two] = await Promise.all([
      hashPassword("correct horse"),
      hashPassword("correct horse"),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword(one, "correct horse")).toBe(true);
    expect(await verifyPassword(two, "correct horse")).toBe(true);
    expect(await verifyPassword(one, "correct horsE")).toBe(false);
    expect(await verifyPassword(one, "")).toBe(false);
  });

  it("are the same however a keyboard composes their letters", async () => {
    expect(await verifyPassword(await hashPassword("\u00fcber"), "u\u0308ber")).toBe(true);
  });

  it("of nobody never fit, and cost what a wrong one costs", async () => {
    const stored = await hashPassword("x");
    const time = async (hash: string | null) => {
      const start = process.cpuUsage();
      for (let turn = 0; turn < 5; turn += 1)
        expect(await verifyPassword(hash, "wrong")).toBe(false);
      return process.cpuUsage(start).user;
    };
    await time(null);
    const [wrong, nobody] = [await time(stored), await time(null)];
    expect(nobody).toBeGreaterThan(wrong / 3);
    expect(nobody).toBeLessThan(wrong * 3);
  });

  it("do not fit a stored text that is no hash", async () => {
    for (const stored of ["", "plain", "$argon2id$", "$2b$10$abcdefghijklmnopqrstuv"])
      expect(await verifyPassword(stored, stored)).toBe(false);
  });

  it("have an end, and what is cut off there does not make two of them one", async () => {
    const longest = "a".repeat(PASSWORD_MAX_CHARS);
    const stored = await hashPassword(longest);
    expect(await verifyPassword(stored, longest)).toBe(true);
    expect(await verifyPassword(stored, `${longest}b`)).toBe(false);
    await expect(hashPassword(`${longest}b`)).rejects.toThrow(RangeError);
  });

  it("are checked two at once: of a crowd some wait, the last are sent back", async () => {
    const stored = await hashPassword("x");
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => verifyPassword(stored, "x")),
    );
    const refused = all.filter((one) => one.status === "rejected");
    expect(refused).toHaveLength(8);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: "SERVICE_UNAVAILABLE",
        headers: { "Retry-After": "3" },
      });
    expect(all.filter((one) => one.status === "fulfilled" && one.value)).toHaveLength(42);
    expect(await verifyPassword(stored, "x")).toBe(true);
  });
});
