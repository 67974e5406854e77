import "server-only";
import { FrameReader } from "@/lib/runtime/sandbox/frames.mjs";
import {
  type LimitedProcess,
  limitedProcess,
  permissions,
  watchMemory,
} from "@/lib/runtime/sandbox/run-limited-child";

/** What its process may read: what it runs on. */
export const PYTHON_READABLE = [
  "lib/runtime/python/*",
  "lib/runtime/sandbox/frames.mjs",
  "node_modules/pyodide/*",
  "package.json",
];
const HEAP_MAX_MEBIBYTES = 256;
/** Of WebAssembly, in its pages of 64 KiB: 640 MiB. */
const WASM_MAX_PAGES = 10_240;
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024;
/** An endless loop never hears that its parent has died. */
const CPU_MAX_SECONDS = 1_800;
const ANSWER_MAX_BYTES = 65 * 1024 * 1024;
/** To begin, on a machine that has much else to do. */
const START_MILLISECONDS = 60_000;

type Frame = { header: unknown; payloads: Uint8Array[] };

/** A process of Python that answers one call after another. */
export interface PythonProcess {
  isAlive(): boolean;
  /**
   * The answer to one call; `late` when it was not there in time, `dead` when the process ended
   * before, by its bound of memory for one. Its process has ended then.
   */
  ask(
    pieces: readonly Uint8Array[],
    deadlineMilliseconds: number,
  ): Promise<Frame | "late" | "dead" | "unstarted">;
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

/** Begins a process, at a low priority and without an environment. */
export function openPythonProcess(): PythonProcess {
  const child = limitedProcess({
    args: pythonArguments(),
    script: "lib/runtime/python/child.mjs",
    cpuMaxSeconds: CPU_MAX_SECONDS,
  });
  const answers = answersOf(child);
  const ready = answers.next(START_MILLISECONDS);
  // Read by the first call; one that none follows fails in silence.
  ready.catch(() => {});
  return {
    isAlive: answers.isAlive,
    end: answers.end,
    async ask(pieces, deadlineMilliseconds) {
      const begun = await ready;
      if (typeof begun === "string") return "unstarted";
      for (const piece of pieces) child.stdin.write(piece);
      return answers.next(deadlineMilliseconds);
    },
  };
}

/** The frames that a process writes, one at a time. */
function answersOf(child: LimitedProcess) {
  let isAlive = true;
  const reader = new FrameReader();
  let waiting: ((answer: Frame | "late" | "dead") => void) | null = null;
  const end = () => {
    isAlive = false;
    child.kill("SIGKILL");
  };
  const answer = (value: Frame | "late" | "dead") => {
    const told = waiting;
    waiting = null;
    told?.(value);
  };
  const watch = watchMemory(child.pid, MEMORY_MAX_BYTES, end).unref();
  child.stdout.on("data", (chunk: Buffer) => {
    try {
      const frame = reader.push(chunk);
      if (frame) answer(frame);
      else if (reader.bytes > ANSWER_MAX_BYTES) end();
    } catch {
      end();
    }
  });
  child.on("error", end);
  child.stdin.on("error", () => {}); // a child that died early is reported by its end
  child.on("close", () => {
    isAlive = false;
    clearInterval(watch);
    answer("dead");
  });
  return {
    isAlive: () => isAlive,
    end,
    next(deadlineMilliseconds: number): Promise<Frame | "late" | "dead"> {
      if (!isAlive) return Promise.resolve("dead");
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          resolve("late");
          waiting = null;
          end();
        }, deadlineMilliseconds);
        waiting = (value) => {
          clearTimeout(timer);
          resolve(value);
        };
      });
    },
  };
}
