import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { FOR_LANGUAGE_MODELS, type RulesTask } from "@/lib/model/models/rules-task";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { toFunctionTool } from "@/lib/runtime/tools/tool";
import { createOfflineModel } from "./offline-model";

const options = (request: string): LanguageModelV4CallOptions => ({
  prompt: [{ role: "user", content: [{ type: "text", text: request }] }],
});
const read = async (given: LanguageModelV4CallOptions) => {
  const { stream } = await createOfflineModel().doStream(given);
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read())
    parts.push(next.value);
  return parts;
};

describe("builtin/offline as a language model", () => {
  it("streams words whose joined deltas are the text, always the same", async () => {
    const parts = await read(options("Write a poem"));
    const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.every((delta) => delta.trim().split(/\s+/).length <= 1)).toBe(true);
    const whole = await createOfflineModel().doGenerate(options("Write a poem"));
    expect(whole.content).toEqual([{ type: "text", text: deltas.join("") }]);
  });

  it("counts a token for four characters, begun ones too, on both sides", async () => {
    const usageOf = async (request: string) => {
      const parts = await read(options(request));
      const characters = parts.reduce(
        (sum, part) => sum + (part.type === "text-delta" ? part.delta.length : 0),
        0,
      );
      const [finish] = parts.slice(-1);
      if (finish?.type !== "finish") throw new Error("the stream has no end");
      return {
        input: finish.usage.inputTokens.total ?? 0,
        output: finish.usage.outputTokens.total ?? 0,
        characters,
      };
    };
    const [poem, longer] = [
      await usageOf("Write a poem"),
      await usageOf(`Write a poem${"!".repeat(5)}`),
    ];
    // 72 characters of the prompt's JSON, and 77.
    expect([poem.input, longer.input]).toEqual([18, 20]);
    for (const { output, characters } of [poem, longer]) {
      expect(output * 4).toBeGreaterThanOrEqual(characters);
      expect((output - 1) * 4).toBeLessThan(characters);
    }
  });

  it("stops in the middle when it is aborted", async () => {
    const controller = new AbortController();
    const { stream } = await createOfflineModel().doStream({
      ...options("Write a poem"),
      abortSignal: controller.signal,
    });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error("stop"));
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow("stop");
  });
});

const AGENT = {
  name: "Old",
  description: null,
  skill_content: "Help.",
  config: { version: 1 },
  dashboard_template: null,
  write_autonomy: "blocked",
};

/** A build whose first proposal, if there was one, was answered with `output`. */
function build(
  tool: typeof CREATE_AGENT_TOOL | typeof EDIT_AGENT_TOOL,
  request: string,
  output?: { error: string; agent_changed?: boolean },
) {
  const prompt: LanguageModelV4Prompt = [
    { role: "user", content: [{ type: "text", text: request }] },
  ];
  if (output) {
    prompt.push({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: tool.name, input: {} }],
    });
    prompt.push({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: tool.name,
          output: { type: "json", value: output },
        },
      ],
    });
  }
  const task: RulesTask =
    tool === CREATE_AGENT_TOOL
      ? { kind: "create", models: [] }
      : { kind: "edit", agent: JSON.stringify(AGENT), models: [] };
  return createOfflineModel().doGenerate({
    prompt,
    tools: [toFunctionTool(tool)],
    toolChoice: { type: "auto" },
    providerOptions: { lathe: { task, account: "" } },
  });
}

describe("a build by the offline model", () => {
  it("is proposed by one call of the tool, and given up by reason when refused", async () => {
    expect((await build(CREATE_AGENT_TOOL, "An agent that sorts mail")).content).toMatchObject([
      { type: "tool-call", toolName: "create_agent" },
    ]);
    await expect(
      build(CREATE_AGENT_TOOL, "An agent that sorts mail", { error: "config is wrong" }),
    ).rejects.toMatchObject({
      code: "AGENT_BUILD_FAILED",
      message: expect.stringContaining("config is wrong"),
    });
  });

  it("is made again when the agent changed meanwhile, not when refused for itself", async () => {
    const again = await build(EDIT_AGENT_TOOL, "Rename it to Fresh", {
      error: "The agent was changed.",
      agent_changed: true,
    });
    expect(again.content).toMatchObject([
      { toolName: "edit_agent", input: expect.stringContaining('"name":"Fresh"') },
    ]);
    await expect(
      build(EDIT_AGENT_TOOL, "Rename it to Fresh", { error: "It cannot be stored so." }),
    ).rejects.toMatchObject({
      code: "AGENT_BUILD_FAILED",
    });
  });

  it("ends at once with what was not understood, when nothing of an edit was", async () => {
    expect((await build(EDIT_AGENT_TOOL, "Do a barrel roll")).content).toMatchObject([
      { type: "text", text: expect.stringMatching(/Nothing was changed.*barrel roll/) },
    ]);
  });
});

describe("what the offline model is asked to do", () => {
  const asked = (request: string, skill: string, tools: string[]) =>
    createOfflineModel().doGenerate({
      prompt: [
        { role: "system", content: skill },
        {
          role: "user",
          content: [
            { type: "text", text: "Rename it to Taken", providerOptions: FOR_LANGUAGE_MODELS },
            { type: "text", text: request },
          ],
        },
      ],
      tools: tools.map((name) => ({
        type: "function" as const,
        name,
        inputSchema: { type: "object", properties: { skill_content: { type: "string" } } },
      })),
      toolChoice: { type: "auto" },
    });

  it.each([
    ["edits", "edit_agent", "Rename it to Fresh"],
    ["creates", "create_agent", "An agent that sorts mail"],
    ["lists the agents", "list_agents", "List the agents"],
  ])("is no matter of tools' names or a skill's words: it %s nothing", async (_, tool, request) => {
    const skill = `<current_agent>\n${JSON.stringify(AGENT)}\n</current_agent>`;
    const { content } = await asked(request, skill, [tool, "finish"]);
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining(request) }]);
  });

  it("is in the person's words alone: what is for language models is passed over", async () => {
    const { content } = await asked("Say something", "", []);
    expect(JSON.stringify(content)).not.toContain("Taken");
  });
});
