import "server-only";
import { type Frame, FrameReader } from "@/lib/runtime/sandbox/frame-reader";
import { type LimitedProcess, watchMemory } from "@/lib/runtime/sandbox/run-limited-child";

/** Why an exchange came to no end: the child is dead, or dying. */
export type EndOfChild = "late" | "long" | "dead" | "unstarted";

interface Exchange {
  /** What the child is told. */
  pieces: readonly Uint8Array[];
  /** Of the child's own work: it stands still while a frame is heard. */
  deadlineMilliseconds: number;
  /** Of all that it may say. */
  answerMaxBytes: number;
  /**
   * What comes back for a frame of the child; null: it was the last one. One after another. A
   * SyntaxError says that the child is not, or no longer, what we started; whatever is thrown ends
   * it.
   */
  hear(frame: Frame): Promise<readonly Uint8Array[] | null>;
  signal?: AbortSignal;
}

/**
 * A process of its own that speaks in frames (`parent.mjs`): it is told something, and may ask back
 * before it answers, once or many times. What it says is held for hostile.
 */
export class TalkingChild {
  readonly #child: LimitedProcess;
  readonly #reader = new FrameReader();
  #isAlive = true;
  #ending: EndOfChild = "dead";
  #talk: Talk | null = null;

  /**
   * @param child as it has begun, most of them by `limitedProcess`
   * @param memoryMaxBytes of all its memory, where the system tells it (Linux): buffers do not
   * count
   *   in a heap
   */
  constructor(child: LimitedProcess, memoryMaxBytes: number) {
    this.#child = child;
    const { stdin, stdout, pid } = this.#child;
    const watch = watchMemory(pid, memoryMaxBytes, () => this.end()).unref();
    stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    stdin.on("error", () => {}); // a child that died early is reported by its end
    this.#child.on("error", () => this.#endAs("unstarted"));
    this.#child.on("close", () => {
      this.#isAlive = false;
      clearInterval(watch);
      // What it said before counts.
      const talk = this.#talk;
      void talk?.heard.then(() => this.#settle(talk));
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Kills it; an exchange under way comes to its end. */
  end(): void {
    this.#isAlive = false;
    this.#child.kill("SIGKILL");
  }

  /**
   * Tells the child something, and answers when it has said its last frame, or is dead. One at a
   * time. @throws what `hear` threw but for a SyntaxError, and the signal's reason when it is
   * aborted; the process is dead then
   */
  exchange(exchange: Exchange): Promise<"done" | EndOfChild> {
    const { signal } = exchange;
    if (signal?.aborted) {
      this.end();
      return Promise.reject(signal.reason);
    }
    if (!this.#isAlive) return Promise.resolve("dead");
    return new Promise((resolve, reject) => {
      const onAbort = () => this.end();
      signal?.addEventListener("abort", onAbort, { once: true });
      const talk: Talk = {
        exchange,
        bytes: 0,
        isDone: false,
        failure: null,
        heard: Promise.resolve(),
        timer: new PausingTimer(exchange.deadlineMilliseconds, () => this.#endAs("late")),
        settle: (outcome) => {
          signal?.removeEventListener("abort", onAbort);
          if (signal?.aborted) reject(signal.reason);
          else if (talk.failure) reject(talk.failure.error);
          else resolve(outcome);
        },
      };
      this.#talk = talk;
      for (const piece of exchange.pieces) this.#child.stdin.write(piece);
    });
  }

  #endAs(ending: EndOfChild): void {
    if (this.#isAlive) this.#ending = ending;
    this.end();
  }

  #take(chunk: Buffer): void {
    const talk = this.#talk;
    if (talk === null) {
      // Nothing was asked.
      this.end();
      return;
    }
    talk.bytes += chunk.length;
    const frames = talk.bytes > talk.exchange.answerMaxBytes ? null : framesOf(this.#reader, chunk);
    if (frames === null) {
      this.#endAs("long");
      return;
    }
    talk.heard = talk.heard.then(async () => {
      for (const frame of frames) await this.#hear(talk, frame);
    });
  }

  async #hear(talk: Talk, frame: Frame): Promise<void> {
    if (talk.isDone || talk.failure) return;
    talk.timer.pause();
    try {
      const answer = await talk.exchange.hear(frame);
      if (answer === null) {
        talk.isDone = true;
        return this.#settle(talk);
      }
      for (const piece of answer) this.#child.stdin.write(piece);
      talk.timer.goOn();
    } catch (error) {
      if (error instanceof SyntaxError) return this.#endAs("long");
      talk.failure = { error };
      this.end();
    }
  }

  #settle(talk: Talk): void {
    if (this.#talk !== talk) return;
    this.#talk = null;
    talk.timer.stop();
    talk.settle(talk.isDone ? "done" : this.#ending);
  }
}

/** Null for what is no frame. */
function framesOf(reader: FrameReader, chunk: Buffer): Frame[] | null {
  try {
    return reader.push(chunk);
  } catch {
    return null;
  }
}

/** An exchange that is under way. */
interface Talk {
  exchange: Exchange;
  bytes: number;
  isDone: boolean;
  failure: { error: unknown } | null;
  /** When all that was heard is answered. */
  heard: Promise<void>;
  timer: PausingTimer;
  settle(outcome: "done" | EndOfChild): void;
}

/** A deadline that stands still while others are at work. */
class PausingTimer {
  #left: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #over: () => void;
  #isStopped = false;

  constructor(milliseconds: number, over: () => void) {
    this.#left = milliseconds;
    this.#over = over;
    this.goOn();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }

  goOn(): void {
    if (this.#isStopped) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#over, Math.max(0, this.#left));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
