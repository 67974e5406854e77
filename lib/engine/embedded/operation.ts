import "server-only";

/** A step as the SDK reports it (call protocol, version 2): what it did, or what it asks the executor for. */
export interface Operation {
  id: string;
  op: string;
  /** For people. */
  name: string;
  /** What the operation is about: the awaited event's name, a sleep's length. */
  target: string;
  opts: Record<string, unknown>;
  data: unknown;
  error: unknown;
}

/** Reads the SDK's array of operations. Throws when it is none: then the SDK and this executor do not fit together. */
export function toOperations(body: unknown): Operation[] {
  const list = Array.isArray(body) ? body : [body];
  return list.map((entry: unknown) => {
    if (!isRecord(entry) || typeof entry.id !== "string" || typeof entry.op !== "string")
      throw new Error("The SDK answered with something that is no step");
    const name = [entry.displayName, entry.name].find((value) => typeof value === "string");
    const target = typeof entry.name === "string" ? entry.name : "";
    return {
      id: entry.id,
      op: entry.op,
      name: String(name ?? entry.id),
      target,
      opts: isRecord(entry.opts) ? entry.opts : {},
      data: entry.data,
      error: entry.error,
    };
  });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
