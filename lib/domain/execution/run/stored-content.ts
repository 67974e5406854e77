import "server-only";
import { inKeyOrder, type KeyOrder, keyOrderOf } from "@/lib/model/agent-config/key-order";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import type { TurnContent } from "@/lib/runtime/models/read-turn";

/** A part of a turn as it is stored. A call has beside its input the order of that's keys. */
type StoredPart = TurnContent[number] & { keyOrder?: KeyOrder };

/**
 * What a model said, to be stored as `jsonb`, which forgets the order of keys: an agent that it
 * proposes shows its inputs in the order in which they were said.
 */
export function toStoredContent(content: TurnContent): string {
  const parts = content.map((part): StoredPart => {
    if (part.type !== "tool-call") return part;
    const keyOrder = keyOrderOf(part.input as JsonValue); // a model's JSON
    return keyOrder === null ? part : { ...part, keyOrder };
  });
  return JSON.stringify(parts);
}

/**
 * The same from its row, with all keys where they were; in rows of an older version as they came.
 */
export function fromStoredContent(stored: readonly StoredPart[]): TurnContent {
  return stored.map((part): TurnContent[number] => {
    const { keyOrder, ...said } = part;
    if (said.type !== "tool-call" || keyOrder === undefined) return said;
    return { ...said, input: inKeyOrder(said.input, keyOrder) };
  });
}
