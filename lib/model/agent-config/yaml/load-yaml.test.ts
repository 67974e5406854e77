import { describe, expect, it } from "vitest";
import { loadYaml, loadYamlInSteps } from "@/lib/model/agent-config/yaml/load-yaml";
import { expectLinear } from "@/lib/platform/test/expect-linear";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";

const MAX = 131_072;
const load = (text: string) => loadYaml(text, { maxCharacters: MAX });
const value = (text: string) => {
  const loaded = load(text);
  return loaded.ok
    ? loaded.value
    : loaded.errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
};

describe("loadYaml", () => {
  it("reads plain data as YAML 1.2 does", () => {
    expect(
      value(
        "a: [1, 2.5, true, null, x]\nb: |\n  two\n  lines\nyes: no\n010: 0x10\n'q': \"\\u00e9\"\n" +
          "<<: {c: 1}\nd: 2026-01-01\n",
      ),
    ).toEqual({
      a: [1, 2.5, true, null, "x"],
      b: "two\nlines\n",
      yes: "no",
      "010": 16,
      q: "é",
      "<<": { c: 1 },
      d: "2026-01-01",
    });
    expect(value("--- # a comment\na: 1\n...\n# the end\n")).toEqual({ a: 1 });
    expect(value("\uFEFFa: 1\r\nb: 2\r\n")).toEqual({ a: 1, b: 2 });
    expect(value("- |\n &not-an-anchor\n- '*not an alias'")).toEqual([
      "&not-an-anchor\n",
      "*not an alias",
    ]);
    expect(value("")).toBe(null);
    expect(Object.is(value("-0.0"), 0)).toBe(true);
  });

  it("reads scalars as the text that stands there when asked to", () => {
    const loaded = loadYaml("version: 1.0\nname: null\nlist: [0x10, yes]\n", {
      maxCharacters: 100,
      scalars: "text",
    });
    expect(loaded.ok && loaded.value).toEqual({
      version: "1.0",
      name: "null",
      list: ["0x10", "yes"],
    });
  });

  it.each([
    ["a: 1\nb: &x 2\n", "2:4 Anchors"],
    ["a: *x\n", "1:4 Aliases"],
    ["a: !!set {b}\n", "1:4 Tags"],
    ["a: ! b\n", "1:4 Tags"],
    ["%YAML 1.1\n---\na: 1\n", "1:1 Directives"],
    ["a: 1\n---\nb: 2\n", "2:1 Only one document"],
    ["a: 1\n...\nb: 2\n", "3:1 Only one document"],
    ["a: 1\nb:\n  c: 1\na: 2\n", "4:1 The key a stands here twice"],
    ["{a: 1, 'a': 2}", "1:8 The key a stands here twice"],
    ["1: a\n'1': b\n", "2:1 The key 1 stands here twice"],
    ["__proto__: 1\n", "1:1 The key __proto__"],
    ["a: [.inf]\n", "1:5 Must be a finite number"],
    ["a: .nan\n", "1:4 Must be a finite number"],
    ["a: 1e999\n", "1:4 Must be a finite number"],
    ['a: "\\0"\n', "1:4 The text must not contain NUL"],
    ['a: "\\ud800"\n', "1:4 The text must not contain half"],
    ["a: b\u0000c\n", "1:5 NUL and control"],
    ["a: b\ud800\n", "1:5 NUL and control"],
    ["? [a]\n: b\n", "1:3 With stringKeys"],
    ["a: [1\n", "2:1 "],
    ["a: 'x\n", "2:1 "],
    ["a: 1\n b: 2\n", "1:4 "],
    ["a:\n\tb: 1\n", "2:1 "],
    ["a: b: c\n", "1:4 "],
    ["a: @x\n", "1:4 "],
  ])("refuses %j at the right place", (text, expected) => {
    const errors = value(text);
    expect(Array.isArray(errors) ? errors.join("\n") : errors).toContain(expected);
  });

  it("points at keys and values by their path", () => {
    const loaded = load("a:\n  - b: 1\n    c:\n      d: x\n  - {e: 5}\nf:\n");
    if (!loaded.ok) throw new Error("The text was refused.");
    const at = (...path: (string | number)[]) => {
      const { line, column } = loaded.errorAt({ path, message: "" });
      return `${line}:${column}`;
    };
    expect([
      at(),
      at("a"),
      at("a", 0),
      at("a", 0, "b"),
      at("a", 0, "c"),
      at("a", 0, "c", "d"),
      at("a", 1, "e"),
      at("f"),
      at("g"),
      at("a", 7, "x"),
    ]).toEqual(["1:1", "1:1", "2:5", "2:8", "3:5", "4:10", "5:9", "6:1", "1:1", "1:1"]);
  });

  it("takes texts up to the limit, and none beyond", () => {
    expect(load(`a: ${"x".repeat(MAX - 3)}`).ok).toBe(true);
    expect(value(`a: ${"x".repeat(MAX - 2)}`)).toEqual([
      `1:${MAX + 1} Longer than ${MAX} characters.`,
    ]);
    expect(load("[".repeat(50) + "]".repeat(50)).ok).toBe(true);
    expect(value("[".repeat(90) + "]".repeat(90))).toEqual(["1:64 Nested deeper than 64 levels."]);
    expect(value(`[${"1,".repeat(8_001)}]`)).toEqual(["1:1 More than 8000 values."]);
  });

  const times = (text: string) => (size: number) => text.repeat(Math.floor(size / text.length));
  /** As many rows as fit, `most` at most. */
  const rows = (most: number, row: (index: number) => string) => (size: number) => {
    let text = "";
    for (let index = 0; index < most && text.length < size; index += 1) text += `${row(index)}\n`;
    return text.slice(0, size);
  };
  const between =
    (before: string, piece: string, after = "") =>
    (size: number) =>
      `${before}${times(piece)(size - before.length - after.length)}${after}`;
  const HOSTILE: Record<string, (size: number) => string> = {
    "flow lists in each other": times("["),
    "flow maps in each other": times("{a: "),
    "explicit keys in each other": times("? "),
    "dashes in each other": times("- "),
    "maps on one line": times("a: "),
    "empty keys on one line": times(": "),
    "closed lists in each other": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
    stairs: rows(500, (index) => `${" ".repeat(index)}a:`),
    "stairs of dashes": rows(500, (index) => `${" ".repeat(index)}- `),
    quotes: times('"'),
    "an open quote": between('"', "a\n"),
    escapes: between('"', "\\u0000", '"'),
    "broken escapes": between('"', "\\q", '"'),
    "line ends in a plain text": times("a\n"),
    commas: times(","),
    items: between("[", "a,", "]"),
    "closing brackets": times("]"),
    comments: times("#\n"),
    "comments behind keys": times("a: #\n"),
    documents: times("---\n"),
    "document ends": times("...\n"),
    directives: times("%A\n"),
    anchors: times("&a "),
    tags: times("!a "),
    aliases: times("*a "),
    "different keys": rows(14_000, (index) => `k${index}: 1`),
    "the same key": times("a: 1\n"),
    "keys in a flow map": between("{", "a: 1, ", "}"),
    "empty lines in a block": between("a: |\n", "\n"),
    "folded lines": between("a: >\n", "  x\n\n"),
    "block headers": times("|\n"),
    tabs: times("\ta:\n"),
    spaces: times(" "),
    "line ends": times("\n"),
    "carriage returns": times("\r"),
    "explicit pairs": times("? a\n: b\n"),
    "question marks in a flow list": between("[", "?,", "]"),
    "colons in a flow map": between("{", "a:,", "}"),
    "pairs of brackets": times("[]"),
    "brackets as keys": times("[]: "),
    dashes: times("-\n"),
    "reserved marks": times("@ "),
    "indents that go back": times("  a\nb\n"),
    "byte order marks": times("\uFEFF"),
    "an alias bomb": (size) =>
      "a: &a [x,x,x,x,x,x,x,x,x]\n" +
      `${rows(20, (index) => `b${index}: &b${index} [*a,*a,*a,*a,*a,*a,*a,*a,*a]`)(size)}`,
    numbers: between("[", "1e400,", "]"),
    "one long number": times("1"),
    "one long fraction": between("0.", "1"),
    "a merge of merges": rows(4_000, (index) => `<<: {<<: {a${index}: 1}}`),
    prototypes: times("constructor: {prototype: {x: 1}}\n"),
  };

  it.each([
    "a: [sk-live-4711",
    'a: "sk-live-4711',
    "a: b\n  sk-live-4711: c\n sk: d",
    "a: {b: 1}} sk-live-4711",
    'a: "\\sk-live-4711"',
    "a: `sk-live-4711`",
    "a: 1\nsk-live-4711",
    "a: | sk-live-4711\n  x",
    "- a\nsk-live-4711",
    "a: 'x' sk-live-4711",
    "? a\n: b\n] sk-live-4711",
  ])("says what is wrong with %j without a word of it", (text) => {
    const messages = String(value(text));
    expect(messages).toMatch(/^\d+:\d+ /);
    expect(messages).not.toContain("4711");
  });

  it.each(Object.entries(HOSTILE))(
    "survives %s, at a cost that grows with the length alone",
    async (_, textOf) => {
      await expectLinear(MAX / 8, textOf, (text) => {
        const loaded = load(text);
        if (!loaded.ok) expect(JSON.stringify(loaded.errors).length).toBeLessThan(20_000);
      });
    },
  );

  it.each(Object.entries(HOSTILE))("reads %s in short steps", (_, textOf) => {
    expectShortSteps(() => loadYamlInSteps(textOf(MAX), { maxCharacters: MAX }));
  });
});
