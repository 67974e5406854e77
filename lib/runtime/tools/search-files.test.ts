import { describe, expect, it } from "vitest";
import { expectShortSteps } from "@/lib/platform/test/expect-short-steps";
import { BestMatches, searchFiles, searchText } from "@/lib/runtime/tools/search-files";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

const MIB = 1024 * 1024;
const never = new AbortController().signal;

function workspaceOf(files: Record<string, string>): FilesPort {
  const refuse = () => Promise.reject(new Error("not used"));
  return {
    list: async () =>
      Object.entries(files).map(([path, text]) => ({
        path,
        size_bytes: Buffer.byteLength(text),
        content_type: "text/plain",
      })),
    readBytes: async (path) => Buffer.from(files[path] ?? ""),
    head: refuse,
    read: refuse,
    write: refuse,
    find: refuse,
    open: refuse,
    append: refuse,
    edit: refuse,
    copy: refuse,
    remove: refuse,
    receive: refuse,
    saveAll: refuse,
    search: async () => ({ hits: [], searched: new Set<string>() }),
  };
}

const search = (files: Record<string, string>, query: string, signal = never) =>
  searchFiles(workspaceOf(files), query, undefined, signal);

describe("searchFiles", () => {
  it("gives the lines with most of the words, best first, by number, and their count", async () => {
    const files = { "a.txt": "a red fox\nnothing\n  a blue FOX  \nblue", "b.txt": "blue fox blue" };
    expect(await search(files, "Blue fox?")).toEqual({
      matches: [
        { path: "a.txt", line: 3, text: "a blue FOX" },
        { path: "b.txt", line: 1, text: "blue fox blue" },
        { path: "a.txt", line: 1, text: "a red fox" },
        { path: "a.txt", line: 4, text: "blue" },
      ],
      found: 4,
    });
  });

  it("shows lines as they are written, where lower case is longer too", async () => {
    expect(await search({ a: "İİİ\nİ Straße\nx" }, "straße")).toEqual({
      matches: [{ path: "a", line: 2, text: "İ Straße" }],
      found: 1,
    });
  });

  it("finds a word at the very ends of a text, and nothing for a query without words", async () => {
    expect(await search({ a: "end\n\nend" }, "end")).toMatchObject({
      matches: [{ line: 1 }, { line: 3 }],
      found: 2,
    });
    expect(await search({ a: "end" }, "?!")).toEqual({ matches: [], found: 0 });
    expect(await search({ a: "" }, "end")).toEqual({ matches: [], found: 0 });
  });

  it("agrees with reading line by line", async () => {
    const text = Array.from(
      { length: 3_000 },
      (_, n) => `${n % 7 ? "alpha" : "x"} ${n % 5 ? "" : "beta"} ${n}`,
    ).join("\r\n");
    const lines = text.split("\n").flatMap((line, index) => {
      const words = ["alpha", "beta"].filter((word) => line.includes(word)).length;
      return words > 0 ? [{ path: "a", line: index + 1, text: line.trim(), words }] : [];
    });
    const best = lines.sort((a, b) => b.words - a.words || a.line - b.line).slice(0, 50);
    expect(await search({ a: text }, "alpha beta")).toEqual({
      matches: best.map(({ words, ...match }) => match),
      found: lines.length,
    });
  });

  // What keeps a search busy: lines without end, and words that are everywhere.
  const HOSTILE: Record<string, [text: string, query: string]> = {
    "line ends alone": ["\n".repeat(MIB), "a b c d e f g h i j k l m n o p q r s t"],
    "line ends with a word at their end": [`${"\n".repeat(MIB - 1)}a`, "a"],
    "a word in each line": ["a\n".repeat(MIB / 2), "a"],
    "every word in each line": [
      `${"a".repeat(20)}\n`.repeat(MIB / 21),
      Array.from({ length: 20 }, (_, n) => "a".repeat(n + 1)).join(" "),
    ],
    "a word that nearly stands everywhere": ["a".repeat(MIB), `b${"a".repeat(400)}`],
    "another one": ["a".repeat(MIB), `${"a".repeat(400)}b`],
    "letters that are longer in lower case": ["İ\n".repeat(MIB / 3), "i"],
  };
  it.each(Object.entries(HOSTILE))("searches %s in short steps", (_, [text, query]) => {
    const bytes = Buffer.from(text).subarray(0, MIB);
    expectShortSteps(() => searchText("a", bytes, query.split(" "), new BestMatches()));
  });

  it("ends at a hundred thousand matching lines, and says what it left out", async () => {
    const found = await search({ a: "a\n".repeat(60_000), b: "a\n".repeat(60_000), c: "a\n" }, "a");
    expect(found).toMatchObject({ found: 100_000, not_searched: ["c"] });
    expect(found.matches).toHaveLength(50);
  });

  it("ends when it is aborted", async () => {
    const controller = new AbortController();
    const searching = search({ a: "a\n".repeat(MIB / 2) }, "a", controller.signal);
    controller.abort(new Error("cancelled"));
    await expect(searching).rejects.toThrow("cancelled");
  });
});
