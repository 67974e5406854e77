import { describe, expect, it, vi } from "vitest";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { memoryFiles } from "@/lib/offline-model/test/offline-run";
import { testTools } from "@/lib/runtime/test/test-tools";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { NewArtifact } from "@/lib/runtime/tools/tool-ports";

// Each call starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function makeContext(files: Record<string, string> = {}) {
  const events: RunEventBody[] = [];
  const artifacts: NewArtifact[] = [];
  const context: ToolContext = {
    runId: "r",
    accountId: "a",
    toolCallId: "c",
    signal: new AbortController().signal,
    files: memoryFiles(files),
    artifacts: {
      create: async (made) => {
        artifacts.push(made);
        return {
          id: "a",
          title: made.title,
          name: made.name,
          type: made.type,
          url: "",
          size_bytes: 1,
        };
      },
    },
    emit: (event) => events.push(event),
    todo: { cardId: null, items: [] },
  };
  return { context, events, artifacts };
}
const TOOLS = testTools();
const use = (name: string, args: unknown, context: ToolContext) => {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(name);
  return executeTool(tool, args, context);
};

describe("built-in tools", () => {
  it("have names that a config may hold and schemas that are valid", () => {
    for (const tool of TOOLS) {
      expect(BUILT_IN_TOOL_NAMES).toContain(tool.name);
      expect(checkSchema(tool.inputSchema)).toEqual([]);
    }
  });

  it("are shown by the config's list, less what is denied", () => {
    const names = (builtin: string[], deny: string[]) =>
      resolveTools({ tools: { builtin }, permissions: { deny } }, TOOLS).map((tool) => tool.name);
    expect(names(["todo", "artifacts", "web_fetch"], ["artifacts"])).toEqual(["todo"]);
    expect(names([], [])).toEqual([]);
  });

  it.each([
    ["files_read", null],
    ["files_read", "text"],
    ["files_read", {}],
    ["files_read", { path: 7 }],
    ["files_read", { path: "a.txt", action: "read" }],
    ["files_search", { x: 1 }],
    ["files_write", { path: "a.txt" }],
    ["files_edit", { path: "a.txt" }],
    ["files_edit", { path: "a.txt", old: "x" }],
    ["files_edit", { path: "a.txt", delete: true, append: "y" }],
    ["files_edit", { path: "a.txt", old: "y", new: "z" }],
    ["artifacts", { title: "R", name: "r.md" }],
    ["artifacts", { from: "a.txt", content: "x" }],
    ["artifacts", { from: "gone.txt" }],
  ])("answer the arguments of %s %j with what is wrong", async (name, args) => {
    const outcome = await use(name, args, makeContext({ "a.txt": "x" }).context);
    expect(outcome).toMatchObject({ succeeded: false, output: { error: expect.any(String) } });
  });

  it("change a file in place, append, copy and delete, and say what is there then", async () => {
    const { context } = makeContext({ "a.txt": "one two" });
    const edit = (args: object) => use("files_edit", args, context);
    expect(await edit({ path: "a.txt", old: "two", new: "2" })).toMatchObject({
      output: { path: "a.txt", size_bytes: 5 },
    });
    await edit({ path: "a.txt", append: "!" });
    await edit({ path: "b.txt", copy_from: "a.txt" });
    expect((await use("files_read", { handle: "b.txt" }, context)).output).toMatchObject({
      text: "one 2!",
    });
    expect((await edit({ path: "a.txt", delete: true })).output).toMatchObject({ deleted: true });
    expect((await edit({ path: "a.txt", delete: true })).output).toMatchObject({ deleted: false });
  });

  it("change nothing where the text that is to go stands there twice", async () => {
    const { context } = makeContext({ "a.txt": "aa aa" });
    expect(await use("files_edit", { path: "a.txt", old: "aa", new: "b" }, context)).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining("more than") },
    });
    expect((await use("files_read", { path: "a.txt" }, context)).output).toMatchObject({
      text: "aa aa",
    });
  });

  it("read a big file page by page without losing a character", async () => {
    const text = "añ🤖ß".repeat(9000);
    const { context } = makeContext({ "big.txt": text });
    let read = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const { output } = await use("files_read", { path: "big.txt", offset, limit: 1001 }, context);
      const page = output as { text: string; next_offset: number | null }; // the tool's own output
      read += page.text;
      offset = page.next_offset;
    }
    expect(read).toBe(text);
  });

  it("make progress on bytes that are no text, and on pages shorter than a character", () => {
    expect(decodePage(new Uint8Array([0xff, 0xfe, 0xf0]), 0, 100).next_offset).toBe(2);
    expect(decodePage(new Uint8Array([0xf0]), 0, 100).next_offset).toBe(1);
    expect(decodePage(new Uint8Array([]), 5, 5)).toMatchObject({ text: "", next_offset: null });
  });

  it("search lines, best first, and write", async () => {
    const { context } = makeContext({ "a.md": "red fox\nblue fox jumps\n", "b.md": "nothing" });
    expect((await use("files_search", { query: "blue fox" }, context)).output).toMatchObject({
      found: 2,
      matches: [{ path: "a.md", line: 2 }, { line: 1 }],
    });
    await use("files_write", { path: "new.md", content: "hi" }, context);
    expect((await use("files_search", { prefix: "new" }, context)).output).toMatchObject({
      files: [{ path: "new.md", size_bytes: 2 }],
    });
  });

  it("bound what the model sees, and say so", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 190 }, (_, index) => [`${"x".repeat(800)}${index}`, ""]),
    );
    const { output } = await use("files_search", {}, makeContext(files).context);
    expect(JSON.stringify(output).length).toBeLessThan(90_000);
    expect(output).toMatchObject({ cut: true, note: expect.stringContaining("only the first") });
  });

  it("keep one todo card for a run", async () => {
    const { context, events } = makeContext();
    await use("todo", { items: [{ text: "a", done: false }] }, context);
    await use("todo", { items: [{ text: "a", done: true }] }, context);
    expect(events).toMatchObject([
      {
        type: "card.created",
        card: { kind: "todo", status: "in_progress", items: [{ id: "1", text: "a", done: false }] },
      },
      { type: "card.updated", card: { status: "done" } },
    ]);
    expect(events.map((event) => ("card" in event ? event.card.card_id : null))).toEqual([
      context.todo.cardId,
      context.todo.cardId,
    ]);
  });

  it("make artifacts with safe names and known types", async () => {
    const { context, artifacts, events } = makeContext();
    await use("artifacts", { title: "R", name: '../../etc/pa"ss\r\nwd.md', content: "x" }, context);
    expect(artifacts).toMatchObject([{ name: "passwd.md", type: "text/markdown" }]);
    expect(events).toMatchObject([{ type: "artifact.created" }]);
    expect(await use("artifacts", { title: "R", name: "..", content: "x" }, context)).toMatchObject(
      { succeeded: false },
    );
    expect(
      await use("artifacts", { title: "R", name: "a", type: "text/x-evil", content: "x" }, context),
    ).toMatchObject({
      succeeded: false,
    });
  });

  it("run code on named files, and answer its errors", async () => {
    const { context } = makeContext({ "a.csv": "n\n1\n2\n" });
    expect(
      await use(
        "run_javascript",
        { code: "readTable('a.csv').map(r => r.n)", files: ["a.csv"] },
        context,
      ),
    ).toEqual({
      succeeded: true,
      output: { result: [1, 2] },
    });
    expect(await use("run_javascript", { code: "throw new Error('no')" }, context)).toMatchObject({
      succeeded: false,
      output: { error: expect.stringContaining("no") },
    });
    expect(await use("run_javascript", { code: "1", files: ["gone"] }, context)).toMatchObject({
      succeeded: false,
    });
  });

  it("save what code makes, which artifacts hands over without its being said again", async () => {
    const { context, artifacts } = makeContext({ "a.csv": "n\n1\n" });
    const code = `save("out/sum.bin", new Uint8Array([7, 0])); return files["a.csv"].length`;
    expect((await use("run_javascript", { code }, context)).output).toEqual({
      result: 4,
      saved: [{ path: "run:out/sum.bin", size_bytes: 2 }],
    });
    await use("artifacts", { from: "run:out/sum.bin", name: "sum.bin" }, context);
    const [made] = artifacts;
    expect(made).toMatchObject({ title: "sum.bin", type: "application/octet-stream" });
    const content = made?.content as ReadableStream<Uint8Array>; // what a file is handed over as
    expect([...new Uint8Array(await new Response(content).arrayBuffer())]).toEqual([7, 0]);
  });

  it("keep nothing of code that fails", async () => {
    const { context } = makeContext();
    await use("run_javascript", { code: `save("a.txt", "x"); null.x` }, context);
    expect((await use("files_search", {}, context)).output).toEqual({ files: [] });
  });

  it("do not start once the run is aborted", async () => {
    const { context } = makeContext();
    await expect(
      use(
        "todo",
        { items: [{ text: "a", done: true }] },
        { ...context, signal: AbortSignal.abort(new Error("cancelled")) },
      ),
    ).rejects.toThrow("cancelled");
  });
});
