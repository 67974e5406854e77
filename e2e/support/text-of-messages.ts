import type { ModelCall } from "./model-script";

/** All that a model call was told, as one text: system, people, answers, tool results. */
export function textOfMessages(call: ModelCall | undefined): string {
  if (!call) throw new Error("There was no such model call.");
  return call.body.messages
    .map((message) => (typeof message.content === "string" ? message.content : JSON.stringify(message.content)))
    .join("\n");
}
