import { expect, test } from "vitest";
import { isCostlyText } from "@/lib/console/is-costly-text";

test.each([
  ["quotes", ">".repeat(1_000)],
  ["lists", "- ".repeat(1_000)],
  ["emphasis", "*a_".repeat(60_000)],
  ["brackets", "[".repeat(10_000)],
  ["links over many lines", "[a](b\n".repeat(3_000)],
])("Markdown of many %s is costly", (_what, text) =>
  expect(isCostlyText(`# Head\n\n${text}`, "markdown")).toBe(true),
);

test.each([
  ["lists", "[".repeat(1_000)],
  ["maps", "{a: ".repeat(1_000)],
  ["lists over many lines", "a: [\n".repeat(1_000)],
  ["dashes", "- ".repeat(1_000)],
])("YAML of many nested %s is costly", (_what, text) =>
  expect(isCostlyText(text, "yaml")).toBe(true),
);

test("YAML between dashes at the head of Markdown is measured as YAML", () => {
  expect(isCostlyText(`---\n${"[".repeat(1_000)}\n---\n`, "markdown")).toBe(true);
});

test("what people write is not: long lists, tables, rules, code, a config at its limits", () => {
  const list = "- **one** of [many](https://example.com)\n\n".repeat(5_000);
  const table = `| a | b |\n| - | - |\n${"| 1 | 2 |\n".repeat(5_000)}`;
  for (const text of [list, table, "---\n\n***\n\n> > quoted\n", `${"x".repeat(200_000)}`, ""])
    expect(isCostlyText(text, "markdown")).toBe(false);
  expect(
    isCostlyText(
      JSON.stringify(
        { rows: Array.from({ length: 8_000 }, (_, row) => ({ row, of: [1] })) },
        null,
        2,
      ),
      "json",
    ),
  ).toBe(false);
  expect(isCostlyText(`starters:\n${"  - {a: [1]}\n".repeat(8_000)}`, "yaml")).toBe(false);
});
