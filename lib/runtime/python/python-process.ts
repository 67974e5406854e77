import "server-only";
import { log } from "@/lib/platform/log";
import { containerProcess, containerSettings } from "@/lib/runtime/python/container-process";
import { type Frame, packFrame } from "@/lib/runtime/sandbox/frame-reader";
import { limitedProcess, permissions } from "@/lib/runtime/sandbox/run-limited-child";
import { type EndOfChild, TalkingChild } from "@/lib/runtime/sandbox/talking-child";

/** What its process may read: what it runs on. */
const PYTHON_READABLE = [
  "lib/runtime/python/*",
  "lib/runtime/sandbox/parent.mjs",
  "node_modules/pyodide/*",
  "package.json",
];
const HEAP_MAX_MEBIBYTES = 256;
/** Of WebAssembly, in its pages of 64 KiB: 640 MiB. */
const WASM_MAX_PAGES = 10_240;
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024;
/** An endless loop never hears that its parent has died. */
const CPU_MAX_SECONDS = 3_600;
const ANSWER_MAX_BYTES = 65 * 1024 * 1024;
/** To begin, on a machine that has much else to do. */
const START_MILLISECONDS = 60_000;

/** A process of Python that takes one call after another. */
export interface PythonProcess {
  isAlive(): boolean;
  /**
   * Makes one call: `done` when its answer was heard, `dead` when the process ended before, by its
   * bound of memory for one. @throws what `hear` throws, and the signal's reason when it is
   * aborted; the process is dead then
   */
  call(call: {
    header: object;
    deadlineMilliseconds: number;
    signal: AbortSignal;
    /** What comes back for a frame; null for the last one. */
    hear(frame: Frame): Promise<readonly Uint8Array[] | null>;
  }): Promise<"done" | EndOfChild>;
  end(): void;
}

/** Options of Node.js by which Python runs. */
export function pythonArguments(): string[] {
  return [
    `--max-old-space-size=${HEAP_MAX_MEBIBYTES}`,
    `--wasm-max-mem-pages=${WASM_MAX_PAGES}`,
    // No text becomes code in the JavaScript around it.
    "--disallow-code-generation-from-strings",
    "--disable-proto=delete",
    ...permissions(PYTHON_READABLE),
  ];
}

/**
 * Begins a process: in a container where the operator has named one, else CPython on WebAssembly,
 * at a low priority and without an environment.
 */
export function openPythonProcess(): PythonProcess {
  const settings = containerSettings();
  const container = settings && containerProcess(settings);
  const child = new TalkingChild(
    container?.child ??
      limitedProcess({
        args: pythonArguments(),
        script: "lib/runtime/python/child.mjs",
        cpuMaxSeconds: CPU_MAX_SECONDS,
      }),
    MEMORY_MAX_BYTES,
  );
  let isWanted = true;
  const end = () => {
    isWanted = false;
    child.end();
  };
  const ready = child.exchange({
    pieces: [],
    deadlineMilliseconds: START_MILLISECONDS,
    answerMaxBytes: ANSWER_MAX_BYTES,
    hear: () => Promise.resolve(null),
  });
  if (container)
    void ready.then((begun) => {
      if (begun !== "done" && isWanted)
        log.error({ began: begun, said: container.said() }, "Python's container did not begin");
    });
  return {
    isAlive: () => child.isAlive,
    end,
    async call({ header, ...exchange }) {
      const { signal } = exchange;
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
      const begun = await ready;
      signal.removeEventListener("abort", end);
      signal.throwIfAborted();
      if (begun !== "done") return "unstarted";
      return child.exchange({
        ...exchange,
        pieces: packFrame(header),
        answerMaxBytes: ANSWER_MAX_BYTES,
      });
    },
  };
}
