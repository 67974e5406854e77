import type { watchPrompts } from "./model-server/watch-prompts.mjs";

export type VendorName = "openai" | "anthropic" | "google";
type ShownPrompt = ReturnType<NonNullable<Parameters<typeof watchPrompts>[0]>>;
type ShownMessage = ShownPrompt["messages"][number];

interface Part {
  type?: string;
  text?: string;
  id?: string;
  functionCall?: { name: string; args?: unknown };
}
interface Item extends Part {
  role?: string;
  content?: string | Part[];
  parts?: Part[];
  call_id?: string;
}

/** Of Anthropic and OpenAI, what marks a place for the cache: it moves on with each call. */
const text = (value: unknown) =>
  JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner));

const wordsOf = (content: string | Part[] = []) =>
  typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");

/** A call that has no id, by what it calls. */
export const callsAsWords = (calls: { name: string; input?: unknown }[]) =>
  JSON.stringify(calls.map(({ name, input }) => [name, input ?? {}]));

const message = (item: Item, isAnswer: boolean, ids: string[], said: string): ShownMessage => ({
  text: text(item),
  isAnswer,
  ids,
  said,
});

// The bodies are JSON of the vendors' formats; only what is named here is looked at.
const READERS: Record<VendorName, (body: Record<string, unknown>) => ShownMessage[]> = {
  openai: (body) =>
    ((body.input ?? []) as Item[]).map((item) =>
      message(
        item,
        item.role === "assistant" || item.type === "function_call",
        item.type === "function_call" && item.call_id ? [item.call_id] : [],
        wordsOf(item.content),
      ),
    ),
  anthropic: (body) => [
    message({ content: (body.system ?? "") as Item["content"] }, false, [], ""),
    ...((body.messages ?? []) as Item[]).map((item) => {
      const parts = typeof item.content === "string" ? [] : (item.content ?? []);
      const ids = parts.flatMap(({ type, id }) => (type === "tool_use" && id ? [id] : []));
      return message(item, item.role === "assistant", ids, wordsOf(item.content));
    }),
  ],
  google: (body) => [
    message({ parts: (body.systemInstruction ?? []) as Part[] }, false, [], ""),
    ...((body.contents ?? []) as Item[]).map((item) => {
      const calls = (item.parts ?? []).flatMap(({ functionCall: call }) =>
        call ? [{ name: call.name, input: call.args }] : [],
      );
      const said = calls.length > 0 ? callsAsWords(calls) : wordsOf(item.parts);
      return message(item, item.role === "model", [], said);
    }),
  ],
};

/** Reads a vendor's request for `watchPrompts`. */
export function readPrompt(vendor: VendorName) {
  return (body: Record<string, unknown>): ShownPrompt => ({
    messages: READERS[vendor](body),
    tools: text(body.tools),
  });
}
