import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wideLines, wideLinesIn } from "./line-width.mjs";

const words = "word ".repeat(20).trim();
const token = "x".repeat(101);

test("a line of 100 is taken and one of 101 is told with its place and its width", () => {
  const text = `${words}w\n${words} w\n${words}\n`;
  expect(wideLinesIn("docs/a.md", text)).toEqual(["docs/a.md:2: 101"]);
  expect(wideLinesIn("lib/a.ts", `// ${words}`)).toEqual(["lib/a.ts:1: 102"]);
});

test("a letter counts once, however many bytes or units it takes", () => {
  expect(wideLinesIn("a.md", `${"é".repeat(48)} ${"🛠".repeat(50)}.`)).toEqual([]);
});

test("what cannot be broken is taken: a token, a row, an import, classes and a pattern", () => {
  const lines = [
    `- https://example.com/${token}`,
    `  "${token}",`,
    `// ${token}`,
    `| ${words} | ${words} |`,
    `import { a } from "@/${token}";`,
    `<p className="${words} ${words}">`,
    `  /${words}|${words}/giu,`,
    `  text: /${words}|${words}/.test(`,
  ];
  expect(lines.flatMap((line) => wideLinesIn("a.tsx", line))).toEqual([]);
});

test("a text, a comment and a call beside a long token are told", () => {
  const lines = [`const a = "${words} b";`, `// ${words} ${token}`, `call(${token}, b);`];
  expect(lines.flatMap((line) => wideLinesIn("a.ts", line))).toHaveLength(3);
});

test("a page's code is shown as it is, up to the fence that ends it", () => {
  const code = ["````sh", `${words} ${words}`, "```", `${words} ${words}`, "````"];
  const item = ["- Of a list:", "  ```", `  ${words} ${words}`, "  ```"];
  const text = [...code, ...item, `${words} ${words}`].join("\n");
  expect(wideLinesIn("a.md", text)).toEqual(["a.md:10: 199"]);
});

test("a file that git would take is read, and none that is generated or released", () => {
  const root = mkdtempSync(join(tmpdir(), "lathe-lines-"));
  try {
    spawnSync("git", ["init", "-q"], { cwd: root });
    const files = ["a.ts", "b.py", "made/c.ts", "prisma/migrations/1/migration.sql"];
    writeFileSync(join(root, "biome.json"), '{ "files": { "includes": ["**", "!made"] } }');
    for (const file of files) {
      mkdirSync(join(root, file, ".."), { recursive: true });
      writeFileSync(join(root, file), `-- ${words}\n`);
    }
    expect(wideLines(root)).toEqual(["a.ts:1: 102"]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
