import "server-only";
import { watchEntry } from "@/lib/domain/let-in";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { CLIENT_STREAMS_MAX } from "@/lib/model/client-token";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

const UNREAD_MAX_MS = 60_000;

/**
 * Opens a stream that counts as one of its account's until it ends, whichever way. As many may be
 * open in this process as the account may start runs in a minute, or as its cap `streams` says.
 * `open` is not called for one too many, so that nothing is started for it. A stream of which its
 * reader takes nothing for a minute breaks off: it would hold its lines for ever. Once a request of
 * its reader would be let in no more (`watchEntry`), it ends.
 * @param open is given what aborts when the stream has ended, whichever way
 * @throws ServiceError RATE_LIMITED; whatever `open` rejects with, and then nothing is counted
 */
export async function openStream(
  principal: Principal,
  open: (ended: AbortSignal) => Promise<AsyncIterableIterator<string>>,
): Promise<LineStream> {
  const cap = await findStreamCap(principal.accountId);
  const leaveOwn = takeOwnPlace(principal);
  const leave = inTurn(() => takePlace(principal.accountId, cap, "This account"), leaveOwn);
  const ended = new AbortController();
  try {
    let unwatch = () => {};
    const stream = new LineStream(await open(ended.signal), () => {
      unwatch();
      leave();
      ended.abort();
    });
    unwatch = watchEntry(principal, () => stream.shut());
    return stream;
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * What a person of a client token has, whichever of their tokens: their own part of the account's.
 */
function takeOwnPlace({ accountId, agentId, client }: Principal): () => void {
  if (!client) return () => {};
  const person = JSON.stringify([accountId, agentId, client.endUser]);
  return takePlace(person, CLIENT_STREAMS_MAX, "One person");
}

/** Takes the second place, or gives the first one back. @returns what leaves both */
function inTurn(take: () => () => void, leaveFirst: () => void): () => void {
  try {
    const leaveSecond = take();
    return () => {
      leaveSecond();
      leaveFirst();
    };
  } catch (error) {
    leaveFirst();
    throw error;
  }
}

/** How many streams an account may have open at once. */
async function findStreamCap(accountId: string): Promise<number> {
  const { rows } = await postgres().query<{ cap: number }>({
    name: "find-stream-cap",
    text: `SELECT coalesce((a.row_caps ->> 'streams')::int, a.runs_per_minute, $2) AS cap
           FROM accounts a WHERE a.id = $1`,
    values: [accountId, env().RATE_LIMIT_PER_MINUTE],
  });
  return rows[0]?.cap ?? 0;
}

const openStreams = definePart("open-streams", () => new Map<string, number>());

function takePlace(owner: string, cap: number, whose: string): () => void {
  const streams = openStreams();
  const open = streams.get(owner) ?? 0;
  if (open >= cap) {
    const message =
      `${whose} has ${open} streams open, and may have ${cap} at once. Close some, or fetch the ` +
      "runs instead of following them.";
    throw new ServiceError("RATE_LIMITED", message, {}, { "Retry-After": "5" });
  }
  streams.set(owner, open + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const others = (streams.get(owner) ?? 1) - 1;
    if (others > 0) streams.set(owner, others);
    else streams.delete(owner);
  };
}

const DONE = { done: true, value: undefined } as const;

/** Texts that are read one after the other. */
export class LineStream implements AsyncIterableIterator<string> {
  readonly #texts: AsyncIterableIterator<string>;
  readonly #leave: () => void;
  readonly #breaking = new AbortController();
  readonly #unread: NodeJS.Timeout;
  #isAwaited = false;
  #isShut = false;
  /** Ends the wait for a text. */
  #stopWaiting: (() => void) | null = null;

  constructor(texts: AsyncIterableIterator<string>, leave: () => void) {
    this.#texts = texts;
    this.#leave = leave;
    this.#unread = setTimeout(() => this.#break(), UNREAD_MAX_MS).unref();
  }

  /**
   * Aborts when nobody has taken a text for too long; whoever sends them breaks the connection off.
   */
  get broken(): AbortSignal {
    return this.#breaking.signal;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    this.broken.throwIfAborted();
    if (this.#isShut) return DONE;
    this.#isAwaited = true;
    try {
      const next = await this.#nextUnlessShut();
      if (next.done) this.#end();
      else this.#unread.refresh();
      return next;
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      this.#isAwaited = false;
      this.#stopWaiting = null;
    }
  }

  /** Ends it here and now, also for who waits for a text: whoever reads it is to see no more. */
  shut(): void {
    this.#isShut = true;
    this.#stopWaiting?.();
    void this.return();
  }

  #nextUnlessShut(): Promise<IteratorResult<string>> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = () => resolve(DONE);
      this.#texts.next().then((next) => resolve(this.#isShut ? DONE : next), reject);
    });
  }

  async return(): Promise<IteratorResult<string>> {
    this.#end();
    return (await this.#texts.return?.()) ?? DONE;
  }

  #break(): void {
    if (this.#isAwaited) return;
    void this.return();
    this.#breaking.abort(new StreamUnread());
  }

  #end(): void {
    clearTimeout(this.#unread);
    this.#leave();
  }
}

/** Why a stream broke off whose reader took nothing. */
class StreamUnread extends Error {
  override readonly name = "StreamUnread";
  constructor() {
    super(`Nothing of the stream was read for ${UNREAD_MAX_MS / 1000} seconds.`);
  }
}
