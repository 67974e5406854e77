import "server-only";
import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolChoice,
} from "@ai-sdk/provider";

/** The AI SDK's words for a model call, under names of our own: only this folder knows the vendor's package. */
export type TurnPrompt = LanguageModelV3Prompt;
export type TurnTool = LanguageModelV3FunctionTool;
export type TurnToolChoice = LanguageModelV3ToolChoice;
/** What an assistant said in one turn: text and tool calls. */
export type TurnContent = Extract<LanguageModelV3Message, { role: "assistant" }>["content"];
export type ToolResultContent = Extract<LanguageModelV3Message, { role: "tool" }>["content"];
