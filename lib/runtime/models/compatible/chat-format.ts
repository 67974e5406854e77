import "server-only";
import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { StreamCut } from "@/lib/runtime/models/stream-cut";

type Json = Record<string, unknown>;

/** The body of a streamed chat completion. */
export function toChatRequest(model: string, options: LanguageModelV4CallOptions): Json {
  const tools = (options.tools ?? []).flatMap((tool) =>
    tool.type === "function"
      ? [
          {
            type: "function",
            function: {
              name: tool.name,
              description: tool.description,
              parameters: tool.inputSchema,
            },
          },
        ]
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
    ...(options.responseFormat?.type === "json" && {
      response_format: toResponseFormat(options.responseFormat),
    }),
  };
}

function toToolChoice(choice: LanguageModelV4CallOptions["toolChoice"]): unknown {
  if (choice?.type === "tool") return { type: "function", function: { name: choice.toolName } };
  return choice?.type ?? "auto";
}

function toResponseFormat(
  format: Extract<LanguageModelV4CallOptions["responseFormat"], { type: "json" }>,
): Json {
  if (format.schema === undefined) return { type: "json_object" };
  return {
    type: "json_schema",
    json_schema: { name: format.name ?? "answer", schema: format.schema },
  };
}

function toMessages(message: LanguageModelV4Message): Json[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: toUserContent(message.content) }];
    case "assistant":
      return [toAssistantMessage(message.content)];
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result"
          ? [{ role: "tool", tool_call_id: part.toolCallId, content: resultText(part.output) }]
          : [],
      );
  }
}

function toUserContent(
  parts: Extract<LanguageModelV4Message, { role: "user" }>["content"],
): unknown {
  if (parts.every((part) => part.type === "text")) return parts.map((part) => part.text).join("\n");
  return parts.map((part) =>
    part.type === "text" ? { type: "text", text: part.text } : toImage(part),
  );
}

function toImage(part: LanguageModelV4FilePart): Json {
  if (!part.mediaType.startsWith("image/"))
    return { type: "text", text: `[A file of type ${part.mediaType} that cannot be shown here.]` };
  const type = part.mediaType === "image/*" ? "image/png" : part.mediaType;
  const { data: given } = part;
  if (given.type === "url") return { type: "image_url", image_url: { url: given.url.href } };
  // A vendor's own reference to what was uploaded there means nothing to this server.
  if (given.type !== "data")
    return { type: "text", text: `[A file of type ${part.mediaType} that cannot be shown here.]` };
  const { data } = given;
  const base64 = typeof data === "string" ? data : Buffer.from(data).toString("base64");
  return { type: "image_url", image_url: { url: `data:${type};base64,${base64}` } };
}

function toAssistantMessage(
  parts: Extract<LanguageModelV4Message, { role: "assistant" }>["content"],
): Json {
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            id: part.toolCallId,
            type: "function",
            function: { name: part.toolName, arguments: JSON.stringify(part.input ?? {}) },
          },
        ]
      : [],
  );
  // What another vendor sealed is of no use here; what such a server has thought aloud it wants
  // back while it calls tools.
  const thoughts = parts
    .flatMap((part) => (part.type === "reasoning" && !part.providerOptions ? [part.text] : []))
    .join("");
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(calls.length > 0 && thoughts !== "" && { reasoning_content: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function resultText(output: LanguageModelV4ToolResultPart["output"]): string {
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
      return output.value
        .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
        .join("\n");
  }
}

/**
 * What of a chunk is used; everything may be absent, and each field is checked where it is read.
 */
interface Chunk {
  id?: unknown;
  choices?: { delta?: Delta | null; message?: Delta | null; finish_reason?: unknown }[] | null;
  usage?: UsageField | null;
  error?: unknown;
}
interface Delta {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: Fragment[] | null;
}
interface Fragment {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string | null } | null;
}
interface UsageField {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
}
interface OpenCall {
  id: string;
  name: string;
  args: string;
}
type Part = LanguageModelV4StreamPart;

interface ChunkReader {
  /**
   * The parts that one event's data adds. Throws what an error inside the stream says, and on data
   * that is no JSON object.
   */
  take(data: string): Part[];
  /** Whether the server said that it is done. */
  isDone(): boolean;
  /** The last parts; throws `StreamCut` when the answer was not complete. */
  end(): Part[];
}

const FINISH_REASONS: Record<string, LanguageModelV4FinishReason["unified"]> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
};

/** Turns the chunks of one streamed chat completion into the parts of a model's stream. */
export function createChunkReader(): ChunkReader {
  return new Reader();
}

class Reader implements ChunkReader {
  #open: "text" | "reasoning" | null = null;
  #blocks = 0;
  readonly #calls = new Map<number, OpenCall>();
  readonly #closed: OpenCall[] = [];
  #finish: string | null = null;
  #usage: UsageField | null = null;
  #done = false;
  #isNamed = false;

  take(data: string): Part[] {
    if (this.#done) return [];
    if (data === "[DONE]") {
      this.#done = true;
      return [];
    }
    const chunk = parseChunk(data);
    if (chunk.error) throw { error: chunk.error };
    if (chunk.usage) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return [];
    const parts: Part[] = [];
    if (!this.#isNamed && typeof chunk.id === "string")
      parts.push({ type: "response-metadata", id: chunk.id });
    this.#isNamed = true;
    const delta = choice.delta ?? choice.message;
    if (delta) this.#takeDelta(delta, parts);
    if (typeof choice.finish_reason === "string") this.#finish = choice.finish_reason;
    return parts;
  }

  isDone(): boolean {
    return this.#done;
  }

  end(): Part[] {
    if (this.#finish === null && !this.#done) throw new StreamCut("no finish reason");
    const parts: Part[] = [];
    this.#closeBlock(parts);
    const calls = [...this.#closed, ...this.#calls.values()];
    for (const call of calls) {
      parts.push({ type: "tool-input-end", id: call.id });
      parts.push({
        type: "tool-call",
        toolCallId: call.id,
        toolName: call.name,
        input: call.args.trim() === "" ? "{}" : call.args,
      });
    }
    parts.push({
      type: "finish",
      finishReason: toFinishReason(this.#finish, calls.length > 0),
      usage: toUsage(this.#usage),
    });
    return parts;
  }

  #takeDelta(delta: Delta, parts: Part[]): void {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === "string" && reasoning !== "")
      this.#addText("reasoning", reasoning, parts);
    if (typeof delta.content === "string" && delta.content !== "")
      this.#addText("text", delta.content, parts);
    for (const [place, fragment] of (Array.isArray(delta.tool_calls)
      ? delta.tool_calls
      : []
    ).entries())
      this.#addFragment(fragment, place, parts);
  }

  #addText(kind: "text" | "reasoning", delta: string, parts: Part[]): void {
    if (this.#open !== kind) {
      this.#closeBlock(parts);
      this.#blocks += 1;
      this.#open = kind;
      parts.push({ type: `${kind}-start`, id: String(this.#blocks) });
    }
    parts.push({ type: `${kind}-delta`, id: String(this.#blocks), delta });
  }

  #closeBlock(parts: Part[]): void {
    if (this.#open !== null) parts.push({ type: `${this.#open}-end`, id: String(this.#blocks) });
    this.#open = null;
  }

  #addFragment(fragment: Fragment, place: number, parts: Part[]): void {
    const index = typeof fragment.index === "number" ? fragment.index : place;
    const name = fragment.function?.name ?? "";
    let call = this.#calls.get(index);
    // Some servers number every call 0: a new id with a name is then a call of its own.
    if (call && name && fragment.id && fragment.id !== call.id) {
      this.#closed.push(call);
      call = undefined;
    }
    if (!call) {
      call = { id: fragment.id || `call_${randomUUID()}`, name, args: "" };
      this.#calls.set(index, call);
      this.#closeBlock(parts);
      parts.push({ type: "tool-input-start", id: call.id, toolName: name });
    } else if (call.name === "") call.name = name;
    const args = fragment.function?.arguments;
    if (typeof args !== "string" || args === "") return;
    call.args += args;
    parts.push({ type: "tool-input-delta", id: call.id, delta: args });
  }
}

function parseChunk(data: string): Chunk {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    throw new Error("A chunk of the stream is no JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("A chunk of the stream is no object.");
  return value as Chunk; // every field is optional and looked at before use
}

function toFinishReason(raw: string | null, hasCalls: boolean): LanguageModelV4FinishReason {
  const unified = raw === null ? "stop" : (FINISH_REASONS[raw] ?? "other");
  return { unified: hasCalls && unified === "stop" ? "tool-calls" : unified, raw: raw ?? "done" };
}

function toUsage(usage: UsageField | null): LanguageModelV4Usage {
  const cacheRead = countOf(usage?.prompt_tokens_details?.cached_tokens);
  const reasoning = countOf(usage?.completion_tokens_details?.reasoning_tokens);
  return {
    inputTokens: {
      total: countOf(usage?.prompt_tokens),
      noCache: undefined,
      cacheRead,
      cacheWrite: undefined,
    },
    outputTokens: { total: countOf(usage?.completion_tokens), text: undefined, reasoning },
  };
}

/** A count is what is one; a server may say anything. */
function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
