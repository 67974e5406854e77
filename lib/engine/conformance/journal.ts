import "server-only";

/** What the functions of the conformance suite did, in order, by the key that each run has in its event: the same on every engine. */
export class Journal {
  readonly #entries = new Map<string, string[]>();

  /** @returns how many entries of this text the key has now */
  add(key: string, entry: string): number {
    const entries = this.of(key);
    entries.push(entry);
    this.#entries.set(key, entries);
    return entries.filter((each) => each === entry).length;
  }

  of(key: string): string[] {
    return this.#entries.get(key) ?? [];
  }
}
