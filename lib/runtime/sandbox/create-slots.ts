import "server-only";

export interface Slots {
  /** Waits for a place for `key` and answers the function that gives it back. Throws the signal's reason when it is aborted first. */
  acquire(key: string, signal: AbortSignal): Promise<() => void>;
}

/** A counting lock: at most `count` holders at once, at most `share` of one key; keys that wait are taken in turn, each in the order in which it asked. */
export function createSlots(count: number, share: number): Slots {
  let free = count;
  const held = new Map<string, number>();
  /** Who waits, by key; the key whose turn is next comes first. */
  const waiting = new Map<string, Set<() => void>>();
  const heldBy = (key: string) => held.get(key) ?? 0;
  const take = (key: string) => {
    free -= 1;
    held.set(key, heldBy(key) + 1);
  };
  const leave = (key: string) => {
    free += 1;
    if (heldBy(key) > 1) held.set(key, heldBy(key) - 1);
    else held.delete(key);
  };
  const giveOn = () => {
    for (const [key, queue] of [...waiting]) {
      if (free === 0) return;
      const [next] = queue;
      if (!next || heldBy(key) >= share) continue;
      take(key);
      next();
      // To the end of the line.
      if (waiting.delete(key)) waiting.set(key, queue);
    }
  };
  return {
    async acquire(key, signal) {
      signal.throwIfAborted();
      if (free > 0 && heldBy(key) < share) take(key);
      else await waitForTurn(waiting, key, signal);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        leave(key);
        giveOn();
      };
    },
  };
}

function waitForTurn(waiting: Map<string, Set<() => void>>, key: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = waiting.get(key) ?? new Set();
    const leave = (go: () => void) => {
      queue.delete(go);
      if (queue.size === 0) waiting.delete(key);
    };
    const onAbort = () => {
      leave(go);
      reject(signal.reason);
    };
    const go = () => {
      leave(go);
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    queue.add(go);
    waiting.set(key, queue);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
