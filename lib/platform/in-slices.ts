import "server-only";

/**
 * Long work in steps: a generator that yields after each small piece of it, and returns the result.
 */
export type SlicedWork<Result> = Generator<void, Result, void>;

/** How long work may hold the event loop before everybody else has a turn. */
const SLICE_MS = 8;

export interface SliceOptions {
  /** @throws its reason, at the next step, once it is aborted */
  signal?: AbortSignal;
  /** Milliseconds. */
  clock?: () => number;
  /** Lets all else that waits have its turn. */
  turn?: () => Promise<void>;
}

/**
 * Does `work` to its end, a slice at a time: between two slices, each about 8 ms long and one step
 * at the least, every timer, socket and promise of the process has its turn. So work of any size
 * delays others by one slice plus one step.
 */
export async function inSlices<Result>(
  work: SlicedWork<Result>,
  options: SliceOptions = {},
): Promise<Result> {
  const { signal, clock = () => performance.now(), turn = nextTurn } = options;
  let end = clock() + SLICE_MS;
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = work.next();
    if (done) return value;
    if (clock() < end) continue;
    await turn();
    end = clock() + SLICE_MS;
  }
}

/** Lets every timer, socket and promise that waits have its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
