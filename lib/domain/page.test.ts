import { expect, test } from "vitest";
import { readCursor, rowsToRead, toCursor, toPage } from "@/lib/domain/page";

const IDS = Array.from({ length: 5 }, (_, n) => `01a2082b-f08e-700e-9136-cc32846fcd0${n}`);

test("a page is known to be the last one by one row more than it has, which is not shown", () => {
  expect(rowsToRead({ limit: 4 })).toBe(5);
  const page = (rows: number, limit: number) => toPage(IDS.slice(0, rows), limit, (id) => id);
  expect(page(5, 4)).toEqual({ data: IDS.slice(0, 4), nextCursor: toCursor(IDS[3] ?? "") });
  expect(page(4, 4)).toEqual({ data: IDS.slice(0, 4), nextCursor: null });
  expect(page(0, 4)).toEqual({ data: [], nextCursor: null });
});

test("a cursor names the row that it was made of, and no other text is one", () => {
  const [id = ""] = IDS;
  expect([
    readCursor(toCursor(id)),
    readCursor(toCursor(id.toUpperCase())),
    readCursor(null),
  ]).toEqual([id, id, null]);
  for (const text of ["", "next", toCursor("no id")])
    expect(() => readCursor(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
});
