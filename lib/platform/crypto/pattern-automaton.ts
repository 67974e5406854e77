import "server-only";

const ROOT = 0;
/** Spreads (node, character) pairs over the table of transitions. */
const NODE_FACTOR = 0x9e3779b1;
const CHARACTER_FACTOR = 0x85ebca6b;

/**
 * Aho and Corasick's automaton over UTF-16 units: finds every one of many patterns in one pass over
 * a text, whose cost a character does not depend on how many patterns there are or how alike they
 * are. Kept in flat arrays, some 25 bytes a node, since the secrets of an account may make half a
 * million of them; made in steps; and open to a text that comes in pieces. The packages for this
 * take one step of 0.8 to 14 s to be made of half a million, and those that take pieces match by
 * graphemes or show the rest of a pattern that overlaps another.
 */
export class PatternAutomaton {
  #size = 1;
  #parent = new Int32Array(1_024);
  #character = new Uint16Array(1_024);
  #depth = new Uint8Array(1_024);
  #fallback = new Int32Array(1_024);
  /** The length of the longest pattern that ends at the node, 0 for none. */
  #matched = new Uint8Array(1_024);
  /** How many of the last characters may be the beginning of a pattern that is longer still. */
  #open = new Uint8Array(1_024);
  /**
   * Open addressing: child nodes by (parent, character); 0 is free, as the root is nobody's child.
   */
  #children = new Int32Array(4_096);

  /** @throws RangeError for a pattern of more than 255 characters */
  add(pattern: string): void {
    if (pattern.length > 255) throw new RangeError("A pattern has at most 255 characters.");
    let node = ROOT;
    for (let at = 0; at < pattern.length; at += 1)
      node = this.#childOrNew(node, pattern.charCodeAt(at));
    this.#matched[node] = pattern.length;
  }

  /** After the last `add`, before the first `next`. Yields now and then. */
  *link(): Generator<void, void, void> {
    let steps = 0;
    for (const node of this.#byDepth()) {
      const fallback =
        this.#depth[node] === 1
          ? ROOT
          : this.next(this.#fallback[this.#parent[node] ?? 0] ?? 0, this.#character[node] ?? 0);
      this.#fallback[node] = fallback;
      if (this.#matched[node] === 0) this.#matched[node] = this.#matched[fallback] ?? 0;
      // Set by a child before; else the node is the end of its pattern, and only a shorter
      // beginning may go on.
      if (this.#open[node] === 0) this.#open[node] = this.#open[fallback] ?? 0;
      steps += 1;
      if (steps % 4_096 === 0) yield;
    }
  }

  /** The state after one more character; 0 at the start. */
  next(state: number, character: number): number {
    let node = state;
    for (;;) {
      const child = this.#child(node, character);
      if (child !== 0 || node === ROOT) return child;
      node = this.#fallback[node] ?? ROOT;
    }
  }

  /** The length of the longest pattern that the text read so far ends with, 0 for none. */
  matchedAt(state: number): number {
    return this.#matched[state] ?? 0;
  }

  /**
   * How many of the last characters may be the beginning of a pattern, which only what follows can
   * tell.
   */
  openAt(state: number): number {
    return this.#open[state] ?? 0;
  }

  #child(node: number, character: number): number {
    const mask = this.#children.length - 1;
    for (let slot = slotOf(node, character) & mask; ; slot = (slot + 1) & mask) {
      const child = this.#children[slot] ?? 0;
      if (child === 0 || (this.#parent[child] === node && this.#character[child] === character))
        return child;
    }
  }

  #childOrNew(node: number, character: number): number {
    const known = this.#child(node, character);
    if (known !== 0) return known;
    if (this.#size === this.#parent.length) this.#grow();
    const child = this.#size;
    this.#size += 1;
    this.#parent[child] = node;
    this.#character[child] = character;
    this.#depth[child] = (this.#depth[node] ?? 0) + 1;
    this.#open[node] = this.#depth[node] ?? 0;
    this.#place(child);
    return child;
  }

  #place(child: number): void {
    const mask = this.#children.length - 1;
    let slot = slotOf(this.#parent[child] ?? 0, this.#character[child] ?? 0) & mask;
    while (this.#children[slot] !== 0) slot = (slot + 1) & mask;
    this.#children[slot] = child;
  }

  #grow(): void {
    this.#parent = grown(this.#parent, Int32Array);
    this.#character = grown(this.#character, Uint16Array);
    this.#depth = grown(this.#depth, Uint8Array);
    this.#fallback = grown(this.#fallback, Int32Array);
    this.#matched = grown(this.#matched, Uint8Array);
    this.#open = grown(this.#open, Uint8Array);
    this.#children = new Int32Array(this.#children.length * 2);
    for (let node = 1; node < this.#size; node += 1) this.#place(node);
  }

  /** All nodes but the root, those of less depth first: a fallback is always of less depth. */
  #byDepth(): Int32Array {
    const starts = new Int32Array(257);
    for (let node = 1; node < this.#size; node += 1) {
      const depth = this.#depth[node] ?? 0;
      starts[depth + 1] = (starts[depth + 1] ?? 0) + 1;
    }
    for (let depth = 1; depth < starts.length; depth += 1)
      starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0);
    const order = new Int32Array(this.#size - 1);
    for (let node = 1; node < this.#size; node += 1) {
      const depth = this.#depth[node] ?? 0;
      const place = starts[depth] ?? 0;
      order[place] = node;
      starts[depth] = place + 1;
    }
    return order;
  }
}

function slotOf(node: number, character: number): number {
  const mixed = Math.imul(node, NODE_FACTOR) ^ Math.imul(character, CHARACTER_FACTOR);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

function grown<T extends Int32Array | Uint16Array | Uint8Array>(
  old: T,
  make: new (length: number) => T,
): T {
  const fresh = new make(old.length * 2);
  fresh.set(old);
  return fresh;
}
