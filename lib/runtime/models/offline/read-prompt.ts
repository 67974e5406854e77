import "server-only";
import type { LanguageModelV3CallOptions, LanguageModelV3ToolResultPart } from "@ai-sdk/provider";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

export interface DoneCall {
  name: string;
  input: unknown;
  /** The tool's output; null when there is none. */
  output: JsonValue;
  failed: boolean;
}

/** A prompt as the rules read it. */
export interface ReadPrompt {
  system: string;
  /** What the person says now, and said before, oldest first. */
  request: string;
  earlier: string[];
  /** The calls since the person spoke, oldest first. */
  done: DoneCall[];
  tools: ReadonlySet<string>;
  /** A block of the system prompt by name. */
  block(name: string): string | null;
}

export function readPrompt({ prompt, tools, toolChoice }: LanguageModelV3CallOptions): ReadPrompt {
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n\n");
  const spoken: string[] = [];
  let done: DoneCall[] = [];
  for (const message of prompt) {
    if (message.role === "user") {
      const text = textOf(message.content);
      if (NUDGE.test(text)) continue;
      spoken.push(text);
      done = [];
    } else if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "tool-call") done.push({ name: part.toolName, input: part.input, output: null, failed: false });
      }
    } else if (message.role === "tool") takeResults(message.content, prompt, done);
  }
  const names = toolChoice?.type === "none" ? [] : (tools ?? []).map((tool) => tool.name);
  return {
    system,
    request: spoken.at(-1) ?? "",
    earlier: spoken.slice(0, -1),
    done,
    tools: new Set(names),
    block: (name) => readBlock(system, name),
  };
}

/** What the service itself says to a model that ended too early: no request of the person's. */
const NUDGE = /^(?:Call the tool \w+ now\.$|Your last message does not fit the output_schema)/;

function textOf(content: Extract<LanguageModelV3CallOptions["prompt"][number], { role: "user" }>["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function takeResults(
  parts: Extract<LanguageModelV3CallOptions["prompt"][number], { role: "tool" }>["content"],
  prompt: LanguageModelV3CallOptions["prompt"],
  done: DoneCall[],
): void {
  for (const part of parts) {
    if (part.type !== "tool-result") continue;
    const place = callsSinceLastRequest(prompt).indexOf(part.toolCallId);
    const target = done[place];
    if (!target) continue;
    target.output = outputOf(part.output);
    target.failed = part.output.type.startsWith("error") || part.output.type === "execution-denied" || hasError(target.output);
  }
}

function callsSinceLastRequest(prompt: LanguageModelV3CallOptions["prompt"]): string[] {
  const start = prompt.findLastIndex((message) => message.role === "user" && !NUDGE.test(textOf(message.content)));
  return prompt
    .slice(start + 1)
    .flatMap((message) =>
      message.role === "assistant" ? message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])) : [],
    );
}

function outputOf(output: LanguageModelV3ToolResultPart["output"]): JsonValue {
  // Tool outputs are JSON by their making.
  if (output.type === "json" || output.type === "error-json") return output.value as JsonValue;
  if (output.type === "execution-denied") return output.reason ?? "refused";
  const text = output.type === "content" ? output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n") : output.value;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function hasError(output: JsonValue): boolean {
  return typeof output === "object" && output !== null && !Array.isArray(output) && typeof output.error === "string";
}

function readBlock(system: string, name: string): string | null {
  const start = system.indexOf(`<${name}>\n`);
  if (start < 0) return null;
  const from = start + name.length + 3;
  const end = system.indexOf(`\n</${name}>`, from);
  return system.slice(from, end < 0 ? undefined : end);
}
