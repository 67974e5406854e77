import "server-only";

export interface Slots {
  /** Waits for a place and answers the function that gives it back. Throws the signal's reason when it is aborted first. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** A counting lock: at most `count` holders at once, the others in the order they came. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const release = () => {
    const next = waiting.values().next().value;
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await waitForTurn(waiting, signal);
      let held = true;
      return () => {
        if (held) release();
        held = false;
      };
    },
  };
}

function waitForTurn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.delete(go);
      reject(signal.reason);
    };
    const go = () => {
      waiting.delete(go);
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    waiting.add(go);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
