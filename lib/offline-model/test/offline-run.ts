import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { RulesTask } from "@/lib/model/models/rules-task";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { renderInput } from "@/lib/runtime/prompts/prompts";
import { testTools } from "@/lib/runtime/test/test-tools";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { executeTool, type TodoState, ToolFailure, toFunctionTool } from "@/lib/runtime/tools/tool";
import type { FilesPort, NewArtifact } from "@/lib/runtime/tools/tool-ports";
import { createOfflineModel } from "../offline-model";

const DATA = join(process.cwd(), "node_modules", "vega-datasets", "data");

/** The text of a published data set. */
export function dataSet(name: string): string {
  return readFileSync(join(DATA, name), "utf8");
}

/** Files in memory, all of one space. */
export function memoryFiles(files: Record<string, string | Uint8Array>): FilesPort {
  const stored = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      Buffer.concat([typeof text === "string" ? Buffer.from(text) : text]),
    ]),
  );
  const get = (path: string) => {
    const bytes = stored.get(path);
    if (!bytes) throw new ToolFailure(`There is no file ${path}.`);
    return bytes;
  };
  const put = (path: string, bytes: Uint8Array) => {
    stored.set(path, Buffer.from(bytes));
    return { path, size_bytes: bytes.length };
  };
  return {
    list: async (prefix = "") =>
      [...stored]
        .filter(([path]) => path.startsWith(prefix))
        .map(([path, bytes]) => ({ path, size_bytes: bytes.length, content_type: "" })),
    read: async (path, { offset, maxBytes }) =>
      decodePage(get(path).subarray(offset, offset + maxBytes), offset, get(path).length),
    head: async (path, maxBytes) => ({
      bytes: get(path).subarray(0, maxBytes),
      size_bytes: get(path).length,
      content_type: "",
      file_id: path,
      sha256: "",
    }),
    search: async () => ({ hits: [], searched: new Set() }),
    readBytes: async (path, maxBytes) => {
      if (get(path).length > maxBytes) throw new ToolFailure(`${path} is too big.`);
      return get(path);
    },
    find: async (path) =>
      stored.has(path) ? { path, size_bytes: get(path).length, content_type: "" } : null,
    open: async (path) => ({
      path,
      name: path,
      size_bytes: get(path).length,
      content_type: "application/octet-stream",
      sha256: "",
      open: async () => new Blob([new Uint8Array(get(path))]).stream(),
    }),
    write: async (path, content) =>
      // What a body may be.
      put(path, new Uint8Array(await new Response(content as BodyInit).arrayBuffer())),
    append: async (path, text) => put(path, Buffer.concat([get(path), Buffer.from(text)])),
    edit: async (path, change) => put(path, Buffer.from(change(get(path).toString("utf8")))),
    copy: async (from, to) => put(to, get(from)),
    remove: async (path) => stored.delete(path),
    receive: async (path, bytes) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of bytes) pieces.push(piece);
      return put(path, Buffer.concat(pieces));
    },
    saveAll: async (saved) => saved.map(({ path, bytes }) => put(`run:${path}`, bytes)),
  };
}

export interface OfflineRun {
  text: string;
  calls: { name: string; input: unknown; output: unknown }[];
  events: RunEventBody[];
  artifacts: NewArtifact[];
}

export interface OfflineRunOptions {
  files?: Record<string, string | Uint8Array>;
  skill?: string;
  input: JsonObject;
  /** Earlier turns of the conversation: what the person and the agent said. */
  earlier?: [user: JsonObject, assistant: string][];
  tools?: string[];
  /** Connectors that it is shown beside them, and must not call. */
  connectors?: string[];
  schema?: JsonObject;
}

const TURNS_MAX = 12;

/**
 * Runs the offline model with the real tools until it speaks without calling, as the service's own
 * loop does.
 */
export async function runOffline({
  files,
  skill,
  input,
  earlier = [],
  tools,
  connectors = [],
  schema,
}: OfflineRunOptions): Promise<OfflineRun> {
  const shown = testTools().filter((tool) => !tools || tools.includes(tool.name));
  const task: RulesTask = {
    kind: "run",
    agent: skill ? { name: "Test agent", skill } : null,
    outputSchema: schema ? JSON.stringify(schema) : null,
    hasWorkspace: files !== undefined,
    leadsAgents: false,
  };
  const user = (value: JsonObject) => ({
    role: "user" as const,
    content: [{ type: "text" as const, text: renderInput(value) }],
  });
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: "Prose for language models, which the rules do not read." },
    ...earlier.flatMap(([said, answer]) => [
      user(said),
      { role: "assistant" as const, content: [{ type: "text" as const, text: answer }] },
    ]),
    user(input),
  ];
  const run: OfflineRun = { text: "", calls: [], events: [], artifacts: [] };
  const todo: TodoState = { cardId: null, items: [] };
  const shownFiles = memoryFiles(files ?? {});
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const given = [
      ...shown.map(toFunctionTool),
      ...connectors.map((name) => ({
        type: "function" as const,
        name,
        inputSchema: { type: "object" as const },
      })),
    ];
    const { content } = await createOfflineModel().doGenerate({
      prompt,
      tools: given,
      toolChoice: { type: "auto" },
      providerOptions: { lathe: { task, account: "account" } },
    });
    const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
    run.text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
    if (calls.length === 0) return run;
    prompt.push({
      role: "assistant",
      content: calls.map((call) => ({
        type: "tool-call",
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        input: JSON.parse(call.input),
      })),
    });
    for (const call of calls) {
      const tool = shown.find(({ name }) => name === call.toolName);
      if (!tool) throw new Error(`It called ${call.toolName}, which it was not shown.`);
      const outcome = await executeTool(tool, JSON.parse(call.input), {
        runId: "run",
        accountId: "account",
        toolCallId: call.toolCallId,
        signal: new AbortController().signal,
        files: shownFiles,
        artifacts: {
          create: async (artifact) => {
            run.artifacts.push(artifact);
            return {
              id: String(run.artifacts.length),
              title: artifact.title,
              name: artifact.name,
              type: artifact.type,
              url: "",
              size_bytes: String(artifact.content).length,
            };
          },
        },
        emit: (event) => run.events.push(event),
        todo,
      });
      run.calls.push({
        name: call.toolName,
        input: JSON.parse(call.input),
        output: outcome.output,
      });
      prompt.push({
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: call.toolCallId,
            toolName: call.toolName,
            output: outcome.succeeded
              ? { type: "json", value: outcome.output }
              : { type: "error-json", value: outcome.output },
          },
        ],
      });
    }
  }
  throw new Error("The model did not come to an end.");
}
