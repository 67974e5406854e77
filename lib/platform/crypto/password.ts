import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { ServiceError } from "@/lib/model/errors";
import { definePart } from "@/lib/service";
/** More is no password but an attempt to keep the processor busy. */
export const PASSWORD_MAX_CHARS = 1024;

/**
 * OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. Named here, so that a library's other
 * default cannot weaken it.
 */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash at the same cost, of random bytes that were thrown away; nobody has that password. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2," +
  "p=1$CainJV2T0yz6RZ8JJ4iT/Q$BhireLo30KlU+ZxkrPWUdz9zgqDkmcq5hJt2aoe/exk";

/**
 * At most two hashes at once in a process, however many ask: the threads that they fill read and
 * write files for everybody.
 */
const HASHES = { atOnce: 2, waiting: 40 } as const;

/**
 * Argon2id in PHC form, salt and cost included. @throws RangeError over 1,024 characters;
 * ServiceError SERVICE_UNAVAILABLE when too many wait
 */
export async function hashPassword(password: string): Promise<string> {
  if (password.length > PASSWORD_MAX_CHARS)
    throw new RangeError(`a password has at most ${PASSWORD_MAX_CHARS} characters`);
  return await inTurn(() => hash(normal(password), COST));
}

/**
 * Whether the password fits. With `null`, for an unknown user or one without a password, the same
 * work is done on a dummy hash and the answer is `false`, so that the time taken does not tell who
 * exists. A stored hash that cannot be read fits nothing.
 * @throws ServiceError SERVICE_UNAVAILABLE when too many wait
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const text = normal(password.slice(0, PASSWORD_MAX_CHARS));
  const fits = await inTurn(() => verify(stored ?? NOBODYS_HASH, text).catch(() => false));
  return fits && stored !== null && password.length <= PASSWORD_MAX_CHARS;
}

/** The same password typed on another keyboard may come as other code points. */
function normal(password: string): string {
  return password.normalize("NFKC");
}

export const hashQueue = definePart("password-hashes", () => createHashQueue(HASHES));

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await hashQueue()(work);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    const message =
      "Too many people sign in at this moment. Nothing was changed; try again in a few seconds.";
    throw new ServiceError("SERVICE_UNAVAILABLE", message, {}, { "Retry-After": "3" });
  }
}

/** Too much work waits already. Nothing of the refused call was begun. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

type HashQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets `atOnce` calls work and `waiting` more wait, in the order they came: password hashes fill a
 * core and 19 MiB each, on threads that file reads need too.
 * @throws QueueFull at once, when all places are taken; else what the work throws
 */
export function createHashQueue({
  atOnce,
  waiting,
}: {
  atOnce: number;
  waiting: number;
}): HashQueue {
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
