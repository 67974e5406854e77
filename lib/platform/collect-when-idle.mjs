import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Gives back to the machine what a busy hour, or the start, left on the heap. V8 collects what it
 * needs room for, and a process that has become idle needs none: without this it keeps the memory
 * of its busiest minute until it is busy again.
 */

const LOOK_MS = 10_000;
/** Of a look's time, how much the loop may have worked: answers to probes, the beat of a worker. */
const IDLE_SHARE = 0.05;
/** What makes a collection worth its 100 to 200 ms, in which the loop stands. */
const WORTH_BYTES = 16 * 1024 * 1024;

/**
 * Looks every ten seconds; where the process was idle since the last look, and holds 16 MiB more
 * than after the last collection, it collects.
 * @param {object} [process_] what it looks at, for tests
 * @param {() => number} [process_.heapBytes] what the heap occupies, garbage included
 * @param {() => number} [process_.busyShare] of the time since it was last asked, 0 to 1
 * @param {() => void} [process_.collect]
 * @param {number} [process_.lookMs]
 * @returns {{ stop(): void }}
 */
export function collectWhenIdle({
  heapBytes = () => process.memoryUsage().heapTotal,
  busyShare = shareOfLoop(),
  collect = collector(),
  lookMs = LOOK_MS,
} = {}) {
  let kept = 0;
  busyShare();
  const timer = setInterval(() => {
    const isIdle = busyShare() < IDLE_SHARE;
    if (!isIdle || heapBytes() - kept < WORTH_BYTES) return;
    collect();
    kept = heapBytes();
  }, lookMs);
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
