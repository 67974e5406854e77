import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ExecutedBlocks } from "./executed-blocks.mjs";
import { blocksOf, EXECUTED, instrumented } from "./instrument.mjs";
import { mutantsOf } from "./mutants.mjs";

const TEXT = `
const isBig = (n) => n > 9;
function sizeOf(n) {
  if (isBig(n)) {
    return "big";
  } else {
    return [n].map((each) => ({ each }))[0];
  }
}
`;

/**
 * What the source says of a number, and the marks of the blocks that it went through. @param
 * {string} text @param {number} n
 */
function play(text, n) {
  const executed = new Set();
  Object.assign(globalThis, { [EXECUTED]: executed });
  const { outputText } = ts.transpileModule(text, {});
  const said = new Function(`${outputText}; return sizeOf(${n});`)();
  Reflect.deleteProperty(globalThis, EXECUTED);
  return { said, executed: [...executed] };
}
const markAt = (/** @type {string} */ piece) => `a.ts:${TEXT.indexOf(piece)}`;

test("a marked source does what it did, and says which of its blocks were entered", () => {
  const marked = instrumented("a.ts", TEXT);
  const body = markAt("{\n  if");
  expect(play(marked, 10)).toEqual({
    said: "big",
    executed: [body, markAt("n > 9"), markAt('{\n    return "big"')],
  });
  expect(play(marked, 1)).toEqual({
    said: { each: 1 },
    executed: [body, markAt("n > 9"), markAt("{\n    return [n]"), markAt("({ each })")],
  });
  // Where nobody gathers them, the marks do nothing.
  expect(new Function(`${ts.transpileModule(marked, {}).outputText}; return sizeOf(10);`)()).toBe(
    "big",
  );
});

test("with a fault planted the marks keep their names, and the source can be read", () => {
  const mutants = mutantsOf("a.ts", TEXT);
  const named = new Set(blocksOf("a.ts", TEXT).map(({ start }) => `a.ts:${start}`));
  expect(mutants.length).toBeGreaterThan(2);
  for (const mutant of mutants) {
    const planted = instrumented("a.ts", TEXT, mutant);
    const { diagnostics } = ts.transpileModule(planted, { reportDiagnostics: true });
    expect(diagnostics, mutant.kind).toEqual([]);
    for (const mark of play(planted, 3).executed) expect(named).toContain(mark);
  }
  const moved = mutants.find(({ kind, before }) => kind === "number" && before === "9");
  expect(play(instrumented("a.ts", TEXT, moved), 10).said).not.toBe("big");
});

test("a test that went by a block is not run for its fault; a new or changed one is", () => {
  const root = mkdtempSync(path.join(tmpdir(), "lathe-blocks-"));
  const files = ["a.ts", "big.test.ts", "new.test.ts"];
  for (const file of files)
    writeFileSync(path.join(root, file), file === "a.ts" ? TEXT : `// ${file}`);
  const first = new ExecutedBlocks(root, files);
  first.add("big.test.ts", 10, play(instrumented("a.ts", TEXT), 10).executed);
  first.save();
  /** @param {string} test @param {string} piece */
  const mayExecute = (test, piece) =>
    new ExecutedBlocks(root, files).executorsOf("a.ts", TEXT.indexOf(piece))(test);
  expect([mayExecute("big.test.ts", '"big"'), mayExecute("big.test.ts", "[n].map")]).toEqual([
    true,
    false,
  ]);
  expect(mayExecute("new.test.ts", "[n].map")).toBe(true);
  // Outside of every function is whatever loads the file.
  expect(mayExecute("big.test.ts", "const isBig")).toBe(true);
  expect([first.hasPassed("big.test.ts"), first.hasPassed("new.test.ts")]).toEqual([true, false]);
  writeFileSync(path.join(root, "big.test.ts"), "// another text");
  expect(mayExecute("big.test.ts", "[n].map")).toBe(true);
  writeFileSync(path.join(root, "big.test.ts"), "// big.test.ts");
  expect(mayExecute("big.test.ts", "[n].map")).toBe(false);
  writeFileSync(path.join(root, "a.ts"), `${TEXT}\n`);
  expect(mayExecute("big.test.ts", "[n].map")).toBe(true);
});
