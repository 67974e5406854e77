/** What the names of ids, secrets and addresses stand for in a test, in `snake_case`. */
export type Bindings = Record<string, string>;

/** The real thing of a name, whichever way it is written: `agent_id` and `agentId` are one. */
export function boundTo(bindings: Bindings, name: string): string | undefined {
  return bindings[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** An example with the real things in place of those that it names. */
export function bindNames(example: unknown, bindings: Bindings): unknown {
  if (Array.isArray(example)) return example.map((item) => bindNames(item, bindings));
  if (typeof example !== "object" || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      typeof value === "string" ? (boundTo(bindings, name) ?? value) : bindNames(value, bindings),
    ]),
  );
}
