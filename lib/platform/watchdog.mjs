import { writeSync } from "node:fs";
import { isMainThread, threadId, Worker, workerData } from "node:worker_threads";

/**
 * A thread that watches the loop which serves everybody. When it stands for a second it says what
 * was at work last; when it stands for half a minute it ends the process, so that a supervisor
 * starts another one and the service does not wait for what may never end.
 *
 * It counts its own looks, never the clock: a process that was stopped, and a machine that slept,
 * did not stand.
 */

const LOOK_MS = 250;
/** A second without a turn of the loop is told. */
const TOLD_LOOKS = 4;
/** After half a minute the process is ended. */
const ENDED_LOOKS = 120;
const LABEL_BYTES = 256;

/** @typedef {{ turns: Int32Array, label: Uint8Array, told: number, ended: number }} Watched */

/**
 * @typedef {object} Watchdog
 * @property {(what: string) => void} doing says what begins to work now; costs no more than a copy
 * of it
 * @property {() => Promise<void>} stop
 */

/**
 * Begins to watch the loop of this thread.
 * @param {{ told?: number, ended?: number }} [looks] after how many looks of a quarter of a second
 * without a turn it tells, and ends the process
 * @returns {Watchdog}
 */
export function startWatchdog({ told = TOLD_LOOKS, ended = ENDED_LOOKS } = {}) {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const label = new Uint8Array(new SharedArrayBuffer(LABEL_BYTES));
  /** @type {Watched} */
  const watched = { turns, label, told, ended };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { watched },
    name: "watchdog",
    // Nothing of it is worth more: it counts.
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
    execArgv: [],
  });
  worker.unref();
  // Without it the service works as well.
  worker.on("error", (error) => {
    tell("warn", `the watchdog has ended: ${error.message}`, {});
  });
  const timer = setInterval(() => Atomics.add(turns, 0, 1), LOOK_MS / 2).unref();
  const encoder = new TextEncoder();
  // `encodeInto` writes into no shared memory.
  const written = new Uint8Array(LABEL_BYTES);
  return {
    doing(what) {
      const length = encoder.encodeInto(what, written).written;
      label.set(written.subarray(0, length));
      label.fill(0, length);
    },
    async stop() {
      clearInterval(timer);
      await worker.terminate();
    },
  };
}

/** @param {Watched} watched */
function watch({ turns, label, told, ended }) {
  let seen = -1;
  let looks = 0;
  let culprit = "";
  setInterval(() => {
    const now = Atomics.load(turns, 0);
    if (now !== seen) {
      if (looks >= told)
        tell("warn", "the loop goes on", { doing: culprit, stood_ms: looks * LOOK_MS });
      seen = now;
      looks = 0;
      return;
    }
    looks += 1;
    if (looks === told) {
      culprit = read(label);
      tell("error", "the loop stands", { doing: culprit, stood_ms: looks * LOOK_MS });
    }
    if (looks >= ended) {
      tell("fatal", "the loop stood for too long; the process is ended", { doing: culprit });
      process.kill(process.pid, "SIGKILL");
    }
  }, LOOK_MS);
}

/** @param {Uint8Array} label */
function read(label) {
  const copy = Uint8Array.from(label);
  const end = copy.indexOf(0);
  return new TextDecoder().decode(copy.subarray(0, end === -1 ? copy.length : end));
}

/**
 * A line as the service's log has them, written past it: the log's own thread may be what stands.
 * @param {"warn" | "error" | "fatal"} level
 * @param {string} msg
 * @param {Record<string, unknown>} about
 */
function tell(level, msg, about) {
  const number = { warn: 40, error: 50, fatal: 60 }[level];
  const line = { level: number, time: new Date().toISOString(), ...about, msg };
  try {
    writeSync(2, `${JSON.stringify(line)}\n`);
  } catch {
    // Nobody reads it.
  }
}

if (!isMainThread && threadId !== 0 && workerData?.watched) watch(workerData.watched);
