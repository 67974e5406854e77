import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";

/** Takes what a model says, as it comes. */
export interface PartSink {
  parts(parts: readonly LanguageModelV4StreamPart[]): void;
  end(): void;
  /** It breaks off. */
  fail(error: unknown): void;
}

/** What gives the parts, once it was begun. */
export interface PartFlow {
  pause(): void;
  resume(): void;
  /** Nothing more is wanted; nothing more is given. */
  cancel(): void;
}

/** @returns whether it has heard enough */
type Take = (part: LanguageModelV4StreamPart) => boolean;

/**
 * A stream of parts that can also be handed over as they come, without a queue and a promise for
 * each of them: that was a sixth of what a token costs. It is read in one of the two ways.
 */
export class PartStream extends ReadableStream<LanguageModelV4StreamPart> {
  readonly #begin: (to: PartSink) => PartFlow;

  /** @param begin is called once, when somebody reads */
  constructor(begin: (to: PartSink) => PartFlow) {
    let flow: PartFlow | null = null;
    super(
      {
        pull(controller) {
          if (flow) return flow.resume();
          flow = begin({
            parts(parts) {
              for (const part of parts) controller.enqueue(part);
              // A reader that is slow stops the reading.
              if ((controller.desiredSize ?? 0) < 0) flow?.pause();
            },
            end: () => controller.close(),
            fail: (error) => controller.error(error),
          });
        },
        cancel() {
          flow ??= begin(DEAF);
          flow.cancel();
        },
      },
      { highWaterMark: 0 },
    );
    this.#begin = begin;
  }

  /**
   * Hands each part to `take` until that has heard enough, the signal is aborted, or the stream
   * ends. In the caller's asynchronous context.
   * @throws what broke it off, or what `take` threw
   */
  handOver(take: Take, signal: AbortSignal): Promise<void> {
    const inContext = AsyncLocalStorage.snapshot();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isOver = signal.aborted;
    const flow = this.#begin({
      parts(parts) {
        inContext(() => {
          for (const part of parts) {
            if (isOver) return;
            if (take(part)) stop();
          }
        });
      },
      end: resolve,
      fail: reject,
    });
    const stop = () => {
      isOver = true;
      flow.cancel();
      resolve();
    };
    if (isOver) stop();
    signal.addEventListener("abort", stop, { once: true });
    return promise.finally(() => signal.removeEventListener("abort", stop));
  }
}

const DEAF: PartSink = { parts() {}, end() {}, fail() {} };

/**
 * Reads a model's stream until `take` has heard enough or it ends. It is cancelled where that comes
 * before its end: not every vendor's stream ends when its signal is aborted.
 * @throws what broke it off, what `take` threw, or the signal's reason
 */
export async function readParts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  take: Take,
  signal: AbortSignal,
): Promise<void> {
  if (stream instanceof PartStream) {
    await stream.handOver(take, signal);
    return signal.throwIfAborted();
  }
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      if (take(value)) return cancel();
    }
  } catch (error) {
    cancel();
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
