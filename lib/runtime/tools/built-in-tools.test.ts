import { describe, expect, it, vi } from "vitest";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { memoryWorkspace } from "@/lib/offline-model/test/offline-run";
import { BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { executeTool, type ToolContext } from "@/lib/runtime/tools/tool";
import type { NewArtifact } from "@/lib/runtime/tools/tool-ports";

// Each call starts a process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

function makeContext(files?: Record<string, string>) {
  const events: RunEventBody[] = [];
  const artifacts: NewArtifact[] = [];
  const context: ToolContext = {
    runId: "r",
    accountId: "a",
    toolCallId: "c",
    signal: new AbortController().signal,
    workspace: files ? memoryWorkspace(files) : null,
    artifacts: {
      create: async (made) => {
        artifacts.push(made);
        return {
          id: "a",
          title: made.title,
          name: made.name,
          type: made.type,
          url: "",
          size_bytes: made.content.length,
        };
      },
    },
    emit: (event) => events.push(event),
    todo: { cardId: null, items: [] },
  };
  return { context, events, artifacts };
}
const use = (name: string, args: unknown, context: ToolContext) => {
  const tool = BUILT_IN_TOOLS.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(name);
  return executeTool(tool, args, context);
};

describe("built-in tools", () => {
  it("have names that a config may hold and schemas that are valid", () => {
    for (const tool of BUILT_IN_TOOLS) {
      expect(BUILT_IN_TOOL_NAMES).toContain(tool.name);
      expect(checkSchema(tool.inputSchema)).toEqual([]);
    }
  });

  it("are shown by the config's list, less what is denied", () => {
    const names = (builtin: string[], deny: string[]) =>
      resolveTools({ tools: { builtin }, permissions: { deny } }, BUILT_IN_TOOLS).map(
        (tool) => tool.name,
      );
    expect(names(["todo", "artifacts", "web_fetch"], ["artifacts"])).toEqual(["todo"]);
    expect(names([], [])).toEqual([]);
  });

  it.each([
    [null],
    ["text"],
    [{}],
    [{ action: "fly" }],
    [{ action: "read" }],
    [{ action: "read", path: 7 }],
    [{ action: "list", x: 1 }],
  ])("answer the arguments %j with what is wrong", async (args) => {
    const outcome = await use("workspace_files", args, makeContext({ "a.txt": "x" }).context);
    expect(outcome).toMatchObject({ succeeded: false, output: { error: expect.any(String) } });
  });

  it("say that there is no workspace", async () => {
    for (const [name, args] of [
      ["workspace_files", { action: "list" }],
      ["run_javascript", { code: "1", files: ["a"] }],
    ] as const) {
      expect(await use(name, args, makeContext().context)).toMatchObject({
        succeeded: false,
        output: { error: expect.stringContaining("no workspace") },
      });
    }
  });

  it("read a big file page by page without losing a character", async () => {
    const text = "añ🤖ß".repeat(9000);
    const { context } = makeContext({ "big.txt": text });
    let read = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const { output } = await use(
        "workspace_files",
        { action: "read", path: "big.txt", offset, max_bytes: 1001 },
        context,
      );
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
    expect(
      (await use("workspace_files", { action: "search", query: "blue fox" }, context)).output,
    ).toMatchObject({
      found: 2,
      matches: [{ path: "a.md", line: 2 }, { line: 1 }],
    });
    await use("workspace_files", { action: "write", path: "new.md", content: "hi" }, context);
    expect(
      (await use("workspace_files", { action: "list", prefix: "new" }, context)).output,
    ).toMatchObject({
      files: [{ path: "new.md", size_bytes: 2 }],
    });
  });

  it("bound what the model sees, and say so", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 190 }, (_, index) => [`${"x".repeat(600)}${index}`, ""]),
    );
    const { output } = await use("workspace_files", { action: "list" }, makeContext(files).context);
    expect(JSON.stringify(output).length).toBeLessThan(70_000);
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
