import { expect, test } from "vitest";
import { toCsv } from "@/lib/model/text/csv";

test("what stands between commas is quoted where it must be, and lines end by RFC 4180", () => {
  expect(
    toCsv(
      ["end_user", "credits"],
      [
        ["a", 1.5],
        ['say "a, b"', 0],
        ["two\nlines", -2],
        [null, 3],
      ],
    ),
  ).toBe('end_user,credits\r\na,1.5\r\n"say ""a, b""",0\r\n"two\nlines",-2\r\n,3\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\n@x", "\uff1d1", "\ttext"])(
  "a text that a spreadsheet would compute is none any more: %j",
  (text) => {
    const cell = toCsv(["x"], [[text]]).slice("x\r\n".length);
    expect(cell).toMatch(/^"?'/);
    expect(cell).toContain(text);
  },
);

test("numbers are numbers, also those below zero", () => {
  expect(toCsv(["x"], [[-1.25]])).toBe("x\r\n-1.25\r\n");
});
