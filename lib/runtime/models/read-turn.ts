import "server-only";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolChoice,
  LanguageModelV4Usage,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { FOR_LANGUAGE_MODELS } from "@/lib/model/models/rules-task";
import type { Capability } from "@/lib/model/run/run-result";
import type { AnswerForm } from "@/lib/runtime/models/answer/answer-form";
import { AnswerReader } from "@/lib/runtime/models/answer/answer-reader";
import type { RanCode } from "@/lib/runtime/models/providers/ran-code";
import { StreamCut } from "@/lib/runtime/models/stream-cut";

const CHARACTERS_PER_TOKEN = 4;

/** Tokens of a text whose model does not say: one for four characters, rounded up. */
export function estimateTokens(characters: number): number {
  return Math.ceil(Math.max(0, characters) / CHARACTERS_PER_TOKEN);
}

// Sixths of a token a character.
const LETTER = 2;
const DIGIT = 6;
const SIGN = 3;
const BEYOND_ASCII = 9;

/**
 * What a text may come to in tokens, whichever model counts: more than the vendors' tokenizers make
 * of prose, JSON and code (a third of a token a letter or space, half a sign, one a digit, one and
 * a half a character beyond ASCII, of which an emoji has two). Only text that was made to be dear,
 * such as random letters, comes to more: see docs/decisions/0019.
 */
export function tokensAtMost(text: string): number {
  return Math.ceil(sixthsOf(text) / 6);
}

function sixthsOf(text: string): number {
  let sixths = 0;
  for (let at = 0; at < text.length; at++) sixths += weightOf(text.charCodeAt(at));
  return sixths;
}

function weightOf(code: number): number {
  if (code > 127) return BEYOND_ASCII;
  if (code >= 48 && code <= 57) return DIGIT;
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || code === 32 ? LETTER : SIGN;
}

/** How one model call went, in milliseconds by this process's clock. */
export interface CallFacts {
  /** As `performance.now()` tells it. */
  startedAt: number;
  tookMs: number;
  /** Until the first text or thought; null where there was none. */
  firstTokenMs: number | null;
  /** Of the output tokens, those of its thinking; null where the vendor does not say. */
  reasoningTokens: number | null;
  /** The vendor's name for the request or its answer. */
  requestId: string | null;
  /**
   * Its prompt and its answer in tokens, as the vendor counted them; null where it does not say.
   */
  countedTokens: number | null;
}

/** A call of a model that came to nothing; another one may have followed it. */
export interface FailedCall {
  /** `provider/name`. */
  model: string;
  /** As `performance.now()` tells it. */
  startedAt: number;
  tookMs: number;
  code: string;
  /** Safe to show. */
  message: string;
}

/**
 * What one model call used, in tokens; `cachedInputTokens` and `cacheWriteTokens` are part of
 * `inputTokens`.
 */
export interface TurnUsage {
  capability: Capability;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  /** What the vendor wrote to its cache, where it says so. */
  cacheWriteTokens?: number;
  /** Of those, what is to stay there for an hour. */
  cacheWriteHourTokens?: number;
}

/** What a model call had used when it was stopped. */
export interface CutUsage {
  model: string;
  usage: TurnUsage;
  /** What the provider had searched and run on its own servers, as far as its stream had told. */
  searches: number;
  ran: readonly RanCode[];
  /** As `performance.now()` tells it. */
  startedAt: number;
}

/** A model call was stopped by its signal. `usage` is null when no call had begun. */
export class TurnAborted extends Error {
  override readonly name = "TurnAborted";
  constructor(readonly usage: CutUsage | null) {
    super("The model call was aborted.");
  }
}

/**
 * The AI SDK's words for a model call, under names of our own: only this folder knows the vendor's
 * package.
 */
export type TurnPrompt = LanguageModelV4Prompt;
export type TurnTool = LanguageModelV4FunctionTool;
export type TurnToolChoice = LanguageModelV4ToolChoice;
/** What an assistant said in one turn: text and tool calls. */
export type TurnContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];
/** What a user says in one message: text and pictures. */
export type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];
export type ToolResultContent = Extract<LanguageModelV4Message, { role: "tool" }>["content"];

/**
 * `input` is the arguments' JSON value; when the model wrote no JSON, `invalid` is set and `input`
 * is its text.
 */
export interface TurnToolCall {
  id: string;
  name: string;
  input: JsonValue;
  invalid?: true;
  /** What the vendor wants back with the call in the next prompt. */
  providerOptions?: SharedV4ProviderOptions;
}

/** A piece of a model's thinking. */
export interface TurnThought {
  id: string;
  text: string;
  /** A signature, or the thinking itself, sealed. */
  providerOptions?: SharedV4ProviderOptions;
}

/** The part of a turn that has arrived. */
export interface TurnDraft {
  text: string;
  reasoning: string;
  /** The same, piece by piece, with what the vendor wants back with each in a tool loop. */
  thoughts: TurnThought[];
  toolCalls: TurnToolCall[];
  finishReason: string | null;
  reported: LanguageModelV4Usage | null;
  /** The vendor's name for the answer. */
  responseId: string | null;
  /** Characters of tool arguments, which are output too. */
  argumentCharacters: number;
  /** Where the answer has a form. */
  answer: AnswerDraft | null;
  /** What the model named as not found, in place of an answer of that form. */
  missing: string[] | null;
  /** What the provider's own search has found. */
  pages: FoundPage[];
  /** How often it has searched, as it bills that. */
  searches: number;
  /** What code did that it ran on its own servers. */
  ran: RanCode[];
  /** Tokens that the provider wrote to its cache for an hour. */
  cachedForHour: number;
}

/** A page that a provider's own search has found. */
export interface FoundPage {
  url: string;
  title: string | null;
  /** What it says, in its words; null where the provider does not quote it. */
  quote: string | null;
}

/** A structured answer on its way out of its envelope. */
interface AnswerDraft {
  tool: string;
  reader: AnswerReader;
  /** The call that answers; null: none yet, and the message's text is read. */
  callId: string | null;
  /** Whether the call's arguments came in pieces. */
  isStreamed: boolean;
}

export interface TurnListeners {
  onText(delta: string): void;
  /** What was said until now is no part of the answer: it begins anew. */
  onVoid(): void;
  onReasoning(delta: string): void;
}

/** @param form of the answer; null: it has none */
export function emptyDraft(form: AnswerForm | null = null): TurnDraft {
  return {
    text: "",
    reasoning: "",
    thoughts: [],
    toolCalls: [],
    finishReason: null,
    reported: null,
    responseId: null,
    argumentCharacters: 0,
    answer: form && {
      tool: form.tool.name,
      reader: new AnswerReader(form),
      callId: null,
      isStreamed: false,
    },
    missing: null,
    pages: [],
    searches: 0,
    ran: [],
    cachedForHour: 0,
  };
}

/** Takes one part of a model's stream into the draft. Throws what an `error` part carries. */
export function takePart(
  draft: TurnDraft,
  part: LanguageModelV4StreamPart,
  listeners: TurnListeners,
): void {
  switch (part.type) {
    case "text-delta":
      if (draft.answer === null) say(draft, part.delta, listeners);
      // Beside a call that answers, words are no part of the answer.
      else if (draft.answer.callId === null)
        say(draft, draft.answer.reader.push(part.delta), listeners);
      return;
    case "reasoning-start":
    case "reasoning-end":
      noteThought(draft, part.id, "", part.providerMetadata);
      return;
    case "reasoning-delta":
      noteThought(draft, part.id, part.delta, part.providerMetadata);
      if (part.delta === "") return;
      draft.reasoning += part.delta;
      listeners.onReasoning(part.delta);
      return;
    case "response-metadata":
      draft.responseId = part.id ?? draft.responseId;
      return;
    case "tool-input-start":
      if (part.toolName === draft.answer?.tool)
        beginAnswer(draft, draft.answer, part.id, listeners);
      return;
    case "tool-input-delta":
      draft.argumentCharacters += part.delta.length;
      if (draft.answer === null || draft.answer.callId !== part.id) return;
      draft.answer.isStreamed = true;
      say(draft, draft.answer.reader.push(part.delta), listeners);
      return;
    case "text-end":
      for (const { source, citedText } of part.citations ?? [])
        if (source.sourceType === "url") draft.pages.push(toPage(source, citedText));
      return;
    case "source":
      if (part.sourceType === "url") draft.pages.push(toPage(part));
      return;
    case "tool-call":
      if (part.providerExecuted) return;
      if (part.toolName !== draft.answer?.tool) draft.toolCalls.push(toToolCall(part));
      else takeAnswer(draft, draft.answer, part, listeners);
      return;
    case "finish":
      // An end without a reason of the vendor's is a connection that closed early, whatever the
      // parser made of it.
      if (
        part.finishReason.unified === "interrupted" ||
        (part.finishReason.unified === "other" && part.finishReason.raw === undefined)
      )
        throw new StreamCut("no finish reason");
      endAnswer(draft, listeners);
      draft.finishReason = endOf(draft, part.finishReason.unified);
      draft.reported = part.usage;
      return;
    case "error":
      throw part.error;
  }
}

function toPage(
  { url, title }: Extract<LanguageModelV4StreamPart, { type: "source"; sourceType: "url" }>,
  quote?: string,
): FoundPage {
  return { url, title: title ?? null, quote: quote ?? null };
}

function say(draft: TurnDraft, text: string, { onText }: TurnListeners): void {
  if (text === "") return;
  draft.text += text;
  onText(text);
}

/** The first call that answers has the answer; what was said before it was about it. */
function beginAnswer(
  draft: TurnDraft,
  answer: AnswerDraft,
  callId: string,
  { onVoid }: TurnListeners,
): void {
  if (answer.callId !== null) return;
  answer.callId = callId;
  answer.reader = answer.reader.fresh();
  if (draft.text === "") return;
  draft.text = "";
  onVoid();
}

function takeAnswer(
  draft: TurnDraft,
  answer: AnswerDraft,
  { toolCallId, input }: { toolCallId: string; input: string },
  listeners: TurnListeners,
): void {
  beginAnswer(draft, answer, toolCallId, listeners);
  if (answer.callId === toolCallId && !answer.isStreamed)
    say(draft, answer.reader.push(input), listeners);
}

function endAnswer(draft: TurnDraft, listeners: TurnListeners): void {
  const read = draft.answer?.reader.end();
  if (!read) return;
  say(draft, read.rest, listeners);
  draft.missing = read.missing;
}

/** A call that answers is no call to be carried out: nothing follows from it. */
function endOf({ answer, toolCalls }: TurnDraft, reason: string): string {
  const isAnswered = answer !== null && answer.callId !== null && toolCalls.length === 0;
  return isAnswered && reason === "tool-calls" ? "stop" : reason;
}

function noteThought(
  { thoughts }: TurnDraft,
  id: string,
  text: string,
  metadata: SharedV4ProviderOptions | undefined,
): void {
  let thought = thoughts.find((each) => each.id === id);
  if (!thought) {
    thought = { id, text: "" };
    thoughts.push(thought);
  }
  thought.text += text;
  // A signature comes last, and in a part of its own.
  if (metadata) thought.providerOptions = { ...thought.providerOptions, ...metadata };
}

function toToolCall(part: Extract<LanguageModelV4StreamPart, { type: "tool-call" }>): TurnToolCall {
  const options = part.providerMetadata ? { providerOptions: part.providerMetadata } : {};
  try {
    // JSON.parse gives JSON values only.
    const input = JSON.parse(part.input.trim() === "" ? "{}" : part.input) as JsonValue;
    return { id: part.toolCallId, name: part.toolName, input, ...options };
  } catch {
    return {
      id: part.toolCallId,
      name: part.toolName,
      input: part.input,
      invalid: true,
      ...options,
    };
  }
}

/**
 * What the call used: by the provider's word, else by the characters that went either way, so that
 * no call is free.
 */
export function toTurnUsage(
  draft: TurnDraft,
  options: Pick<LanguageModelV4CallOptions, "prompt" | "tools">,
): TurnUsage {
  const { inputTokens, outputTokens } = draft.reported ?? { inputTokens: null, outputTokens: null };
  const written =
    draft.text.length +
    draft.reasoning.length +
    Math.max(draft.argumentCharacters, argumentCharacters(draft));
  return {
    capability: hasFile(options.prompt) ? "vision" : "chat",
    inputTokens:
      inputTokens?.total ||
      estimateTokens(JSON.stringify([options.prompt, options.tools], withoutBytes).length),
    outputTokens: outputTokens?.total || estimateTokens(written),
    cachedInputTokens: inputTokens?.cacheRead ?? 0,
    ...(inputTokens?.cacheWrite && { cacheWriteTokens: inputTokens.cacheWrite }),
    ...(draft.cachedForHour > 0 && { cacheWriteHourTokens: draft.cachedForHour }),
  };
}

/** Prompt and answer in tokens by the provider's word; null without one. */
export function countedTokens({ reported }: TurnDraft): number | null {
  const { inputTokens, outputTokens } = reported ?? {};
  if (!inputTokens?.total || outputTokens?.total === undefined) return null;
  return inputTokens.total + outputTokens.total;
}

/** What a prompt comes to in tokens, about. */
export function promptTokens(prompt: TurnPrompt): number {
  return estimateTokens(JSON.stringify(prompt, withoutBytes).length);
}

/** What the prompt and the tools of a call may come to in tokens, whichever model counts. */
export function promptTokensAtMost({
  prompt,
  tools = [],
}: Pick<LanguageModelV4CallOptions, "prompt" | "tools">): number {
  // As the JSON of both in one list, of which the signs around the tools are a part.
  const signs = SIGN * (5 + Math.max(0, tools.length - 1));
  const ofTools = tools.reduce((sum, tool) => sum + sixthsOfTool(tool), signs);
  return Math.ceil((sixthsOf(JSON.stringify(prompt, withoutBytes)) + ofTools) / 6);
}

/** Runs share most of their tools, which are most of a first prompt. */
const weighed = new WeakMap<object, number>();

function sixthsOfTool(tool: object): number {
  const known = weighed.get(tool);
  if (known !== undefined) return known;
  const sixths = sixthsOf(JSON.stringify(tool, withoutBytes));
  weighed.set(tool, sixths);
  return sixths;
}

/**
 * The prompt for a model that is not shown files of all types. @param sees whether it is shown one
 */
export function withoutUnseen(
  prompt: LanguageModelV4Prompt,
  sees: (mediaType: string) => boolean,
): LanguageModelV4Prompt {
  return prompt.map((message) =>
    message.role === "user"
      ? {
          ...message,
          content: message.content.map((part) =>
            part.type === "file" && !sees(part.mediaType) ? unseen(part.mediaType) : part,
          ),
        }
      : message,
  );
}

function unseen(mediaType: string) {
  const text =
    mediaType === PDF
      ? "(A PDF file, which you are not given as it is. Read its text by files_read with pages.)"
      : "(A picture, which you cannot see.)";
  return { type: "text" as const, text, providerOptions: FOR_LANGUAGE_MODELS };
}

/** The media type of the documents that some providers read as they are. */
export const PDF = "application/pdf";

/** Whether a PDF file stands in a prompt. */
export function hasPdf(prompt: LanguageModelV4Prompt): boolean {
  return prompt.some(
    ({ role, content }) =>
      role === "user" && content.some((part) => part.type === "file" && part.mediaType === PDF),
  );
}

/** A PDF file for a prompt. @param pages how many it has, by which its tokens are estimated */
export function pdfPart(data: Uint8Array, name: string, pages: number): UserContent[number] {
  return {
    type: "file",
    mediaType: PDF,
    filename: name,
    data: { type: "data", data },
    providerOptions: { lathe: { ...FOR_LANGUAGE_MODELS.lathe, pages } },
  };
}

/**
 * What a page of a PDF file costs at most: its text and its picture. Anthropic speaks of up to
 * 3,000 for the text, and takes up to some 1,600 for a picture of that size; OpenAI and Google take
 * less.
 */
export const PAGE_TOKENS = 5_000;

/**
 * Pages of PDF files in one prompt: what Anthropic takes of a model with the smallest of its
 * windows.
 */
export const PROMPT_PAGES_MAX = 100;

function argumentCharacters(draft: TurnDraft): number {
  return draft.toolCalls.reduce((sum, call) => sum + JSON.stringify(call.input).length, 0);
}

const IMAGE_CHARACTERS = 6_000;
/** Of blanks, which `tokensAtMost` takes for so many tokens. */
const PAGE_CHARACTERS = (PAGE_TOKENS * 6) / LETTER;

/**
 * An image costs up to some two thousand tokens, however many bytes it has, and a document by its
 * pages. Both are known by their bytes, which no JSON has: what a tool gave or a model wrote may
 * look like a part of a prompt, and is text like any other.
 */
function withoutBytes(_key: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return " ".repeat(IMAGE_CHARACTERS);
  const pages = pagesOf(value);
  return pages === null ? value : " ".repeat(PAGE_CHARACTERS * pages);
}

/** Of a part as `pdfPart` makes it; null for anything else. */
function pagesOf(value: unknown): number | null {
  if (!isObject(value) || value.mediaType !== PDF) return null;
  if (!isObject(value.data) || !(value.data.data instanceof Uint8Array)) return null;
  const { providerOptions: options } = value;
  const pages = isObject(options) && isObject(options.lathe) ? options.lathe.pages : null;
  return Number.isInteger(pages) && Number(pages) > 0
    ? Math.min(Number(pages), PROMPT_PAGES_MAX)
    : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Pictures, or documents whose pages are looked at. */
function hasFile(prompt: LanguageModelV4CallOptions["prompt"]): boolean {
  return prompt.some(
    ({ role, content }) => role === "user" && content.some(({ type }) => type === "file"),
  );
}
