import "server-only";

/** Too much work waits already. Nothing of the refused call was begun. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

export type HashQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets `atOnce` calls work and `waiting` more wait, in the order they came: password hashes fill a core and 19 MiB each, on threads that
 * file reads need too.
 * @throws QueueFull at once, when all places are taken; else what the work throws
 */
export function createHashQueue({ atOnce, waiting }: { atOnce: number; waiting: number }): HashQueue {
  let working = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (working < atOnce) working += 1;
    else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve));
    else throw new QueueFull("too many password hashes wait");
    try {
      return await work();
    } finally {
      // A place is handed on, never free in between: a call that comes just then cannot overtake.
      const next = line.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
