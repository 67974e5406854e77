import type { JsonObject } from "@/lib/model/json-schema/json-value";

/** When a run that has not ended is to hear a message: with its next turn, or never itself. */
export const MESSAGE_TIMES = ["next_step", "after"] as const;
export type MessageTime = (typeof MESSAGE_TIMES)[number];

/** What a start does where its conversation has a run that has not ended. */
export const IF_BUSY = ["reject", "queue", "steer", "interrupt"] as const;
export type IfBusy = (typeof IF_BUSY)[number];

/** What is said to a run: a text, or named inputs as it was started with. */
export type MessageInput = string | Readonly<Record<string, unknown>>;

/**
 * Messages to a run that it has not been shown yet. Together they have at most one input's bytes.
 */
export const WAITING_MESSAGES_MAX = 100;
/** Messages to one run in all, and what they have together. */
export const RUN_MESSAGES_MAX = 1_000;
export const RUN_MESSAGES_MAX_BYTES = 2 * 1024 * 1024;
/** Runs that wait for one conversation. */
export const QUEUED_RUNS_MAX = 20;

/** What a person reads as said: the text, the only text of the inputs, or all of them as JSON. */
export function saidText(input: MessageInput): string {
  if (typeof input === "string") return input;
  const values = Object.values(input);
  const only = values[0];
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(input, null, 2);
}

/**
 * A text as the named inputs of a run: under the name of the one text that a schema of inputs
 * takes, or requires; `message` where that is none, or several.
 */
export function inputsOf(text: string, schema: JsonObject | null): Record<string, unknown> {
  // Of a schema that was checked.
  const properties = (schema?.properties ?? {}) as Record<string, { type?: unknown } | undefined>;
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const texts = Object.keys(properties).filter((name) => properties[name]?.type === "string");
  const needed = texts.filter((name) => required.includes(name));
  const [name] = needed.length === 1 ? needed : texts.length === 1 ? texts : [];
  return { [name ?? "message"]: text };
}
