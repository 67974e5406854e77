import "server-only";
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";

type Json = Record<string, unknown>;

/** The body of a streamed chat completion. */
export function toChatRequest(model: string, options: LanguageModelV3CallOptions): Json {
  const tools = (options.tools ?? []).flatMap((tool) =>
    tool.type === "function"
      ? [{ type: "function", function: { name: tool.name, description: tool.description, parameters: tool.inputSchema } }]
      : [],
  );
  return {
    model,
    messages: options.prompt.flatMap(toMessages),
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools, tool_choice: toToolChoice(options.toolChoice) }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.maxOutputTokens !== undefined && { max_tokens: options.maxOutputTokens }),
    ...(options.topP !== undefined && { top_p: options.topP }),
    ...(options.stopSequences !== undefined && { stop: options.stopSequences }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(typeof options.providerOptions?.compatible?.reasoningEffort === "string" && {
      reasoning_effort: options.providerOptions.compatible.reasoningEffort,
    }),
    ...(options.responseFormat?.type === "json" && { response_format: toResponseFormat(options.responseFormat) }),
  };
}

function toToolChoice(choice: LanguageModelV3CallOptions["toolChoice"]): unknown {
  if (choice?.type === "tool") return { type: "function", function: { name: choice.toolName } };
  return choice?.type ?? "auto";
}

function toResponseFormat(format: Extract<LanguageModelV3CallOptions["responseFormat"], { type: "json" }>): Json {
  if (format.schema === undefined) return { type: "json_object" };
  return { type: "json_schema", json_schema: { name: format.name ?? "answer", schema: format.schema } };
}

function toMessages(message: LanguageModelV3Message): Json[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: toUserContent(message.content) }];
    case "assistant":
      return [toAssistantMessage(message.content)];
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result" ? [{ role: "tool", tool_call_id: part.toolCallId, content: resultText(part.output) }] : [],
      );
  }
}

function toUserContent(parts: Extract<LanguageModelV3Message, { role: "user" }>["content"]): unknown {
  if (parts.every((part) => part.type === "text")) return parts.map((part) => part.text).join("\n");
  return parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : toImage(part)));
}

function toImage(part: LanguageModelV3FilePart): Json {
  if (!part.mediaType.startsWith("image/")) return { type: "text", text: `[A file of type ${part.mediaType} that cannot be shown here.]` };
  const type = part.mediaType === "image/*" ? "image/png" : part.mediaType;
  if (part.data instanceof URL) return { type: "image_url", image_url: { url: part.data.href } };
  const base64 = typeof part.data === "string" ? part.data : Buffer.from(part.data).toString("base64");
  return { type: "image_url", image_url: { url: `data:${type};base64,${base64}` } };
}

function toAssistantMessage(parts: Extract<LanguageModelV3Message, { role: "assistant" }>["content"]): Json {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.toolCallId, type: "function", function: { name: part.toolName, arguments: JSON.stringify(part.input ?? {}) } }]
      : [],
  );
  // What another vendor sealed is of no use here; what such a server has thought aloud it wants back while it calls tools.
  const thoughts = parts.flatMap((part) => (part.type === "reasoning" && !part.providerOptions ? [part.text] : [])).join("");
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 && thoughts !== "" && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function resultText(output: LanguageModelV3ToolResultPart["output"]): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was refused.";
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
  }
}
