import "server-only";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { z } from "zod";

/** A file that code has made on a provider's servers. */
export interface RanFile {
  /** Its media type; null: the provider does not say. */
  type: string | null;
  /** Null: the provider's answer does not carry them. */
  bytes: Uint8Array | null;
}

/** What one part of a stream tells of code that ran on a provider's servers. */
export interface RanCode {
  /** Code that was run. */
  code?: string;
  /** What it printed. */
  output?: string;
  failed?: true;
  files?: RanFile[];
}

/** How each vendor's parts tell of it, by the shapes of its package. */

const anthropicCall = z.union([
  z.object({ type: z.literal("bash_code_execution"), command: z.string() }),
  z.object({ type: z.literal("programmatic-tool-call"), code: z.string() }),
  z.object({ type: z.literal("text_editor_code_execution"), file_text: z.string().nullish() }),
]);
const anthropicResult = z.union([
  z.object({
    type: z.enum(["code_execution_result", "bash_code_execution_result"]),
    stdout: z.string(),
    stderr: z.string(),
    return_code: z.number(),
    content: z.array(z.unknown()).nullish(),
  }),
  z.object({
    type: z.enum(["code_execution_tool_result_error", "bash_code_execution_tool_result_error"]),
    errorCode: z.string().optional(),
    error_code: z.string().optional(),
  }),
]);

/** Anthropic: Python by way of Bash, in a container whose files stay at its Files API. */
export function readAnthropicCode(part: LanguageModelV4StreamPart): RanCode | null {
  if (part.type === "tool-call" && part.providerExecuted) {
    const call = anthropicCall.safeParse(readJson(part.input));
    if (!call.success) return null;
    const { data } = call;
    if ("command" in data) return { code: data.command };
    return "code" in data ? { code: data.code } : { code: data.file_text ?? "" };
  }
  if (part.type !== "tool-result") return null;
  const result = anthropicResult.safeParse(part.result);
  if (!result.success) return null;
  const { data } = result;
  if (!("stdout" in data)) {
    const why = data.errorCode ?? data.error_code ?? "unknown";
    return { output: `The code was not run: ${why}`, failed: true };
  }
  return {
    output: [data.stdout, data.stderr].filter((text) => text !== "").join("\n"),
    ...(data.return_code !== 0 && { failed: true as const }),
    files: (data.content ?? []).map(() => ({ type: null, bytes: null })),
  };
}

const openAiResult = z.object({
  outputs: z
    .array(
      z.union([
        z.object({ type: z.literal("logs"), logs: z.string() }),
        z.object({ type: z.literal("image"), url: z.string() }),
      ]),
    )
    .nullish(),
});
const codeCall = z.object({ code: z.string() });

/**
 * OpenAI: a container of its own for the call. It shows a failure in what was printed; files are
 * cited in the answer, and pictures may come with their bytes.
 */
export function readOpenAiCode(part: LanguageModelV4StreamPart): RanCode | null {
  if (part.type === "tool-call" && part.providerExecuted) return readCall(part.input);
  if (part.type === "source" && part.sourceType === "document")
    return { files: [{ type: part.mediaType, bytes: null }] };
  if (part.type !== "tool-result") return null;
  const result = openAiResult.safeParse(part.result);
  if (!result.success) return null;
  const outputs = result.data.outputs ?? [];
  return {
    output: outputs.flatMap((each) => (each.type === "logs" ? [each.logs] : [])).join("\n"),
    files: outputs.flatMap((each) => (each.type === "image" ? [fileOf(each.url)] : [])),
  };
}

const googleResult = z.object({ outcome: z.string(), output: z.string() });

/** Google: pictures stand in the answer with their bytes. */
export function readGoogleCode(part: LanguageModelV4StreamPart): RanCode | null {
  if (part.type === "tool-call" && part.providerExecuted) return readCall(part.input);
  if (part.type === "file") {
    if (part.data.type !== "data") return { files: [{ type: part.mediaType, bytes: null }] };
    const { data } = part.data;
    const bytes = typeof data === "string" ? new Uint8Array(Buffer.from(data, "base64")) : data;
    return { files: [{ type: part.mediaType, bytes }] };
  }
  if (part.type !== "tool-result") return null;
  const result = googleResult.safeParse(part.result);
  if (!result.success) return null;
  const { outcome, output } = result.data;
  return { output, ...(outcome !== "OUTCOME_OK" && { failed: true as const }) };
}

function readCall(input: string): RanCode | null {
  const call = codeCall.safeParse(readJson(input));
  return call.success ? { code: call.data.code } : null;
}

/** A picture's address carries it, or leads to the provider, where nobody fetches it. */
function fileOf(url: string): RanFile {
  const [, type, base64] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s.exec(url) ?? [];
  if (type === undefined || base64 === undefined) return { type: null, bytes: null };
  return { type, bytes: new Uint8Array(Buffer.from(base64, "base64")) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
