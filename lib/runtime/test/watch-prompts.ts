import "server-only";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import { isForLanguageModels } from "@/lib/model/models/rules-task";

type Prompt = LanguageModelV4CallOptions["prompt"];
type Tools = LanguageModelV4CallOptions["tools"];

/** What a model was shown when it gave an answer. */
interface Answered {
  prompt: string[];
  tools: string;
  summary: string | null;
}

/**
 * Holds a model's prompts to what its vendor's cache needs: each begins with the whole one to which
 * the model gave the last answer in it, to the byte, and has the same tools. Not so one that begins
 * anew with a summary of what came before, and one in which no tool may be called any more.
 */
export function watchPrompts() {
  const byCall = new Map<string, Answered>();
  const byText = new Map<string, Answered[]>();
  return {
    answered(callId: string, text: string, prompt: Prompt, tools: Tools): void {
      const answered = {
        prompt: prompt.map(toText),
        tools: JSON.stringify(tools),
        summary: summaryOf(prompt),
      };
      byCall.set(callId, answered);
      if (text !== "") byText.set(text, [...(byText.get(text) ?? []), answered]);
    },

    /** @throws Error where the prompt does not begin as it must */
    check(prompt: Prompt, tools: Tools): void {
      const at = prompt.findLastIndex(({ role }) => role === "assistant");
      const last = prompt[at];
      if (last?.role !== "assistant" || isAsked(prompt[at + 1])) return;
      const call = last.content.find((part) => part.type === "tool-call");
      const said = last.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
      const before =
        call?.type === "tool-call"
          ? [byCall.get(call.toolCallId)].filter((each) => each !== undefined)
          : (byText.get(said.join("")) ?? []);
      const fitting = before.filter(({ summary }) => summary === summaryOf(prompt));
      if (fitting.length === 0) return;
      const shown = prompt.map(toText);
      const faults = fitting.map((each) => faultOf(each, shown, tools));
      if (faults.some((fault) => fault === null)) return;
      throw new Error(`The prompt does not begin with the one before it: ${faults.join("; ")}`);
    },
  };
}

function faultOf({ prompt, tools }: Answered, shown: string[], now: Tools): string | null {
  const at = prompt.findIndex((message, index) => message !== shown[index]);
  if (at >= 0) return `message ${at} was ${prompt[at]} and is ${shown[at]}`;
  const other = now !== undefined && JSON.stringify(now) !== tools;
  return other ? `its tools were ${tools} and are ${JSON.stringify(now)}` : null;
}

/** Whether a message is a person's request, not what the service says. */
function isAsked(message: LanguageModelV4Message | undefined): boolean {
  return (
    message?.role === "user" &&
    message.content.some(
      (part) => part.type === "text" && !isForLanguageModels(part.providerOptions),
    )
  );
}

function summaryOf(prompt: Prompt): string | null {
  const texts = prompt.flatMap((message) =>
    message.role === "user"
      ? message.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );
  return texts.find((text) => text.startsWith("You have worked on this already.")) ?? null;
}

function toText(message: LanguageModelV4Message): string {
  return JSON.stringify(message, (_, value: unknown) =>
    value instanceof Uint8Array ? `${value.length} bytes` : value,
  );
}
