import type { ModelCall } from "./model-script";

/** What the service told the model about its last tool call. */
export function toolResultOf(call: ModelCall | undefined): string {
  const last = call?.body.messages.filter((message) => message.role === "tool").at(-1);
  if (!last) throw new Error("The model was told no tool result.");
  return typeof last.content === "string" ? last.content : JSON.stringify(last.content);
}
