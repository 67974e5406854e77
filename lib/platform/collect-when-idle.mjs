import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back to the machine what a busy hour, or the start, left on the heap. V8 collects what it
 * needs room for, and a process that has become idle needs none: without this it keeps the memory
 * of its busiest minute until it is busy again.
 *
 * The loop stands meanwhile, some 3 ms of processor time for each MiB that lives: what a process
 * keeps is collected seldom, and not at all where it takes long.
 */

const LOOK_MS = 10_000;
/** So many looks in a row the process has been idle. */
const IDLE_LOOKS = 2;
/** Of a look's time, how much the loop may have worked: answers to probes, the beat of a worker. */
const IDLE_SHARE = 0.02;
/** What makes a collection worth its time: so much more than was kept, and such a part of it. */
const WORTH_BYTES = 16 * 1024 * 1024;
const WORTH_SHARE = 0.25;
/** The next one comes no sooner than so many times what one took. */
const REST_TIMES = 300;
/** One that takes so long is the last. */
const LONGEST_MS = 1_000;

/**
 * Looks every ten seconds; where the process was idle for two looks, and holds a quarter more than
 * after the last collection, 16 MiB at least, it collects.
 * @param {object} [process_] what it looks at, for tests
 * @param {() => number} [process_.heapBytes] what the heap occupies, garbage included
 * @param {() => number} [process_.busyShare] of the time since it was last asked, 0 to 1
 * @param {() => void} [process_.collect]
 * @param {() => number} [process_.now] milliseconds
 * @param {(what: string) => void} [process_.doing] is told before the loop stands
 * @returns {{ stop(): void }}
 */
export function collectWhenIdle({
  heapBytes = () => process.memoryUsage().heapTotal,
  busyShare = shareOfLoop(),
  collect = collector(),
  now = () => performance.now(),
  doing = () => {},
} = {}) {
  let kept = 0;
  let idleLooks = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  busyShare();
  const timer = setInterval(() => {
    idleLooks = busyShare() < IDLE_SHARE ? idleLooks + 1 : 0;
    const more = heapBytes() - kept;
    if (idleLooks < IDLE_LOOKS || more < Math.max(WORTH_BYTES, kept * WORTH_SHARE)) return;
    const began = now();
    if (began < notBefore) return;
    doing("a collection of what an idle process holds");
    collect();
    const tookMs = now() - began;
    notBefore = now() + tookMs * REST_TIMES;
    kept = heapBytes();
    if (tookMs > LONGEST_MS) clearInterval(timer);
  }, LOOK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function shareOfLoop() {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}

/**
 * V8's own collection of last resort, which also gives pages back. `--expose-gc` is the one way
 * to it, and the context of its own keeps `gc` out of what the rest of the process sees.
 * @returns {() => void}
 */
function collector() {
  setFlagsFromString("--expose-gc");
  /** @type {(options: { type: string, execution: string, flavor: string }) => void} */
  const gc = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return () => gc({ type: "major", execution: "sync", flavor: "last-resort" });
}
