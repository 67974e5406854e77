import { posix, win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFilePath } from "@/lib/model/file-path";

describe("checkFilePath", () => {
  it.each([
    "a",
    "a/b.csv",
    ".env",
    "..a/b..",
    "a b/ü.txt",
    "数据/表.csv",
    "a:b",
    "~root",
    "-rf",
    "x".repeat(1_024),
    "é".repeat(512),
  ])("takes %s", (path) => {
    expect(checkFilePath(path)).toEqual({ ok: true, path });
  });

  it.each([
    "",
    "/",
    "/etc/passwd",
    "//host/a",
    ".",
    "..",
    "../a",
    "a/..",
    "a/../b",
    "a/./b",
    "./a",
    "a//b",
    "a/",
    "a\\b",
    "..\\a",
    "C:\\a",
    "a\u0000b",
    "a\nb",
    "a\u007f",
    "a\u0085",
    "a\ud800",
    "x".repeat(1_025),
    "é".repeat(513),
    "😀".repeat(257),
  ])("refuses %j", (path) => {
    expect(checkFilePath(path)).toMatchObject({ ok: false, message: expect.any(String) });
  });

  it("gives one name one spelling", () => {
    expect(checkFilePath("cafe\u0301.txt")).toEqual({ ok: true, path: "caf\u00e9.txt" });
  });

  it("never lets a path leave the folder that it is put in, whatever the text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.constantFrom("..", ".", "/", "\\", "．．", "\u2024\u2024", "\u2215", " ", "C:"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const checked = checkFilePath(pieces.join(""));
        if (!checked.ok) return;
        expect(posix.join("/root/folder", checked.path)).toBe(`/root/folder/${checked.path}`);
        expect(win32.join("D:\\folder", checked.path).startsWith("D:\\folder\\")).toBe(true);
        expect(checkFilePath(checked.path)).toEqual(checked);
      }),
      { numRuns: 3_000 },
    );
  });
});
