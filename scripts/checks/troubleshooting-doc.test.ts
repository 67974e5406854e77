import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ERROR_STATUS } from "@/lib/model/errors";
import { RUN_FAILURE_CODES } from "@/lib/model/run/run-failure";

const text = readFileSync(
  fileURLToPath(new URL("../../docs/troubleshooting.md", import.meta.url)),
  "utf8",
);

/** The rows of the table under a heading, each as its cells. */
function rowsUnder(heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, ...cells]) => cells.slice(0, -1));
}

const codeOf = ([code = ""]: string[]) => code.replaceAll("`", "");

test("the page for trouble has one row for each code of an answer, with what to do", () => {
  const rows = rowsUnder("Answers");
  expect(rows.map(codeOf).sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  expect(rows.map((row) => [codeOf(row), Number(row[1])]).sort()).toEqual(
    Object.entries(ERROR_STATUS).sort(),
  );
  expect(rows.filter((row) => row.length !== 4 || row.some((cell) => cell === ""))).toEqual([]);
});

test("the page for trouble has one row for each code of a failed run, with what to do", () => {
  const rows = rowsUnder("Runs");
  expect(rows.map(codeOf).sort()).toEqual([...RUN_FAILURE_CODES].sort());
  expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell === ""))).toEqual([]);
});
