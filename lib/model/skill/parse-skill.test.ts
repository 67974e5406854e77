import { describe, expect, it } from "vitest";
import { parseSkill, SKILL_MAX_BYTES, splitToolList } from "@/lib/model/skill/parse-skill";
import { expectLinear } from "@/lib/platform/test/expect-linear";

const errors = (content: string) => {
  const parsed = parseSkill(content);
  return parsed.ok
    ? []
    : parsed.errors.map(
        ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
      );
};
const withFields = (...fields: string[]) =>
  `---\nname: a\ndescription: b\n${fields.join("\n")}\n---\nBody\n`;

describe("parseSkill", () => {
  it("reads a skill with every field of the format, and one with the two that it needs", () => {
    const content = `---
name: pdf-forms
description: >-
  Fills forms.
  Use it for PDFs.
license: Apache-2.0
compatibility: Needs Python 3.10
metadata:
  version: 1.0
  author: null
allowed-tools: Read, Bash(git add:*)
unknown-key: {a: [1]}
---

# Forms
---
The end
`;
    expect(parseSkill(content)).toEqual({
      ok: true,
      skill: {
        name: "pdf-forms",
        description: "Fills forms. Use it for PDFs.",
        license: "Apache-2.0",
        compatibility: "Needs Python 3.10",
        metadata: { version: "1.0", author: "null" },
        allowedTools: ["Read", "Bash(git add:*)"],
        body: "\n# Forms\n---\nThe end\n",
        content,
      },
    });
    expect(parseSkill("---\nname: a\ndescription: b\n---")).toMatchObject({
      ok: true,
      skill: { license: null, metadata: {}, allowedTools: null, body: "" },
    });
    expect(parseSkill("\uFEFF---\r\nname: a1\r\ndescription: b\r\n---\r\nBody\r\n")).toMatchObject({
      ok: true,
      skill: { name: "a1", description: "b", body: "Body\r\n" },
    });
    expect(
      parseSkill(withFields("allowed-tools: [Read, Write]", "license:", "metadata:")),
    ).toMatchObject({
      ok: true,
      skill: { allowedTools: ["Read", "Write"], license: null },
    });
    expect(parseSkill("---\nname: 007\ndescription: 1.10\n---\n")).toMatchObject({
      ok: true,
      skill: { name: "007", description: "1.10" },
    });
  });

  it.each([
    ["", "1:1 : A SKILL.md starts with frontmatter"],
    ["# No frontmatter", "1:1 : A SKILL.md starts with frontmatter"],
    ["\n---\nname: a\n---\n", "1:1 : A SKILL.md starts with frontmatter"],
    ["---\nname: a\ndescription: b\n", "1:1 : A SKILL.md starts with frontmatter"],
    ["----\nname: a\n----\n", "1:1 : A SKILL.md starts with frontmatter"],
    ["---\n---\n", "2:1 : "],
    ["---\nname: a\n---\n", "2:1 description: "],
    ["---\ndescription: b\n---\n", "2:1 name: "],
    ["---\nname: A\ndescription: b\n---\n", "2:7 name: Must be of lower-case"],
    ["---\nname: -a\ndescription: b\n---\n", "2:7 name: Must be of lower-case"],
    ["---\nname: a--b\ndescription: b\n---\n", "2:7 name: Must be of lower-case"],
    [`---\nname: ${"a".repeat(65)}\ndescription: b\n---\n`, "2:7 name: "],
    ["---\nname: ../a\ndescription: b\n---\n", "2:7 name: Must be of lower-case"],
    [`---\nname: a\ndescription: ${"b".repeat(1_025)}\n---\n`, "3:14 description: "],
    ["---\nname: a\ndescription: '  '\n---\n", "3:14 description: "],
    ["---\nname: a\ndescription: [b]\n---\n", "3:"],
    ["---\nname: a\ndescription: b: c\n---\n", "3:"],
    ["---\nname: a\nname: b\ndescription: b\n---\n", "3:1 : The key name stands here twice"],
    ["---\nname: &x a\ndescription: *x\n---\n", "2:7 : Anchors"],
    [withFields(`compatibility: ${"c".repeat(501)}`), "4:16 compatibility: "],
    [withFields("metadata: {a: {b: c}}"), "4:12 metadata.a: "],
    [withFields("metadata: [a]"), "4:1 metadata: "],
    [withFields("allowed-tools: [[a]]"), "4:1 allowed-tools"],
    [`${withFields()}\u0000`, "7:1 : NUL"],
    [`${withFields()}\ud800`, "7:1 : NUL"],
    [
      `---\nname: a\ndescription: b\nx: ${"y".repeat(16_384)}\n---\n`,
      "1:1 : A SKILL.md starts with frontmatter",
    ],
  ])("refuses %j", (content, expected) => {
    expect(errors(content).join("\n")).toContain(expected);
  });

  it("takes 262,144 bytes, and not one more", () => {
    const head = "---\nname: a\ndescription: bb\n---\n";
    expect(errors(head + "é".repeat((SKILL_MAX_BYTES - head.length) / 2))).toEqual([]);
    expect(errors(`${head}${"é".repeat((SKILL_MAX_BYTES - head.length) / 2)}x`)).toEqual([
      "1:1 : A SKILL.md has at most 262144 bytes.",
    ]);
  });

  it.each<[string, number, (size: number) => string]>([
    ["brackets", 2_000, (size) => `---\n${"[".repeat(size)}\n---\n`],
    ["line ends", 25_000, (size) => `---${"\n".repeat(size)}`],
    ["fences that are none", 5_000, (size) => `---\n${"--- x\n".repeat(size)}`],
    ["spaces behind a fence", 25_000, (size) => `---${" ".repeat(size)}x`],
  ])("survives %s, at a cost that grows with the length alone", async (_, size, contentOf) => {
    await expectLinear(size, contentOf, (content) => expect(errors(content)).toHaveLength(1));
  });

  it("divides lists of tools outside parentheses only", () => {
    expect(splitToolList(" Read,  Bash(a, b) ,Write) x( y")).toEqual([
      "Read",
      "Bash(a, b)",
      "Write)",
      "x( y",
    ]);
  });
});
