import { applyEvents } from "@/lib/console/transcript/apply-events";
import { EMPTY_TRANSCRIPT, type Transcript } from "@/lib/console/transcript/transcript";
import type { RunEvent } from "@/lib/model/run/run-event";

/** Calls back once, soon; an animation frame in the browser. */
export type Schedule = (callback: () => void) => void;

/** A hidden page gets no frames at all, and its events must not pile up unread. */
const nextFrame: Schedule = (callback) => {
  if (typeof document === "undefined" || document.hidden) setTimeout(callback, 250);
  else requestAnimationFrame(callback);
};

/** Gathers events and folds them in once a frame, so that a fast model costs one drawing a frame and not one a token. */
export class TranscriptStore {
  #transcript = EMPTY_TRANSCRIPT;
  #waiting: RunEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;

  constructor(schedule: Schedule = nextFrame) {
    this.#schedule = schedule;
  }

  readonly push = (event: RunEvent): void => {
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#schedule(this.#flush);
  };

  /** Back to nothing, for another run. */
  readonly reset = (): void => {
    this.#waiting = [];
    this.#set(EMPTY_TRANSCRIPT);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Transcript => this.#transcript;

  readonly #flush = (): void => {
    const events = this.#waiting;
    this.#waiting = [];
    this.#set(applyEvents(this.#transcript, events));
  };

  #set(transcript: Transcript): void {
    if (transcript === this.#transcript) return;
    this.#transcript = transcript;
    for (const listener of this.#listeners) listener();
  }
}
