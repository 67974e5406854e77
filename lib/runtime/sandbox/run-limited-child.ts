import "server-only";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism, setPriority } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** Processes of one kind that may be at work at once: one core is left to the service. */
export const PLACES = Math.max(1, availableParallelism() - 1);
/** Whatever else the machine does comes first. */
const NICENESS = 10;

interface Slots {
  /**
   * Waits for a place for `key` and answers the function that gives it back. Throws the signal's
   * reason when it is aborted first.
   */
  acquire(key: string, signal: AbortSignal): Promise<() => void>;
}

/**
 * A counting lock: at most `count` holders at once, at most `share` of one key; keys that wait are
 * taken in turn, each in the order in which it asked.
 */
export function createSlots(count: number, share: number): Slots {
  let free = count;
  const held = new Map<string, number>();
  /** Who waits, by key; the key whose turn is next comes first. */
  const waiting = new Map<string, Set<() => void>>();
  const heldBy = (key: string) => held.get(key) ?? 0;
  const take = (key: string) => {
    free -= 1;
    held.set(key, heldBy(key) + 1);
  };
  const leave = (key: string) => {
    free += 1;
    if (heldBy(key) > 1) held.set(key, heldBy(key) - 1);
    else held.delete(key);
  };
  const giveOn = () => {
    for (const [key, queue] of [...waiting]) {
      if (free === 0) return;
      const [next] = queue;
      if (!next || heldBy(key) >= share) continue;
      take(key);
      next();
      // To the end of the line.
      if (waiting.delete(key)) waiting.set(key, queue);
    }
  };
  return {
    async acquire(key, signal) {
      signal.throwIfAborted();
      if (free > 0 && heldBy(key) < share) take(key);
      else await waitForTurn(waiting, key, signal);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        leave(key);
        giveOn();
      };
    },
  };
}

function waitForTurn(
  waiting: Map<string, Set<() => void>>,
  key: string,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = waiting.get(key) ?? new Set();
    const leave = (go: () => void) => {
      queue.delete(go);
      if (queue.size === 0) waiting.delete(key);
    };
    const onAbort = () => {
      leave(go);
      reject(signal.reason);
    };
    const go = () => {
      leave(go);
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    queue.add(go);
    waiting.set(key, queue);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

interface ChildRequest {
  /** Options of Node.js: the bound of its heap, what it may read. */
  args: string[];
  /**
   * From the service's root. A plain file found at run time: bundlers must not follow it, and it
   * holds its own imports.
   */
  script: string;
  /** What it reads from its standard input, in pieces. */
  input: readonly Uint8Array[];
  /** When it is killed, whatever it does. */
  deadlineMilliseconds: number;
  /** Of all its memory, where the system tells it (Linux): buffers do not count in the heap. */
  memoryMaxBytes?: number;
  answerMaxBytes: number;
  signal: AbortSignal;
}

const SHELL = "/bin/sh";

/**
 * A process that reads from its standard input and writes to its standard output. Whoever begins it
 * with a standard error reads that.
 */
export type LimitedProcess = ChildProcessByStdio<Writable, Readable, Readable | null>;

/** What one is begun with. */
export type ProcessOptions = Pick<ChildRequest, "args" | "script"> & {
  /** Of all its work, where the system bounds it: for one that may outlive its parent. */
  cpuMaxSeconds?: number | undefined;
};

/** Begins a script in a process of its own, without an environment, at a low priority. */
export function limitedProcess({ args, script, cpuMaxSeconds }: ProcessOptions): LimitedProcess {
  const path = join(/* turbopackIgnore: true */ process.cwd(), script);
  const command = [process.execPath, ...args, path];
  const [file = "", ...rest] =
    cpuMaxSeconds !== undefined && existsSync(SHELL)
      ? [SHELL, "-c", 'ulimit -t "$1"; shift; exec "$@"', "sh", String(cpuMaxSeconds), ...command]
      : command;
  const child = spawn(file, rest, {
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  lowerPriority(child.pid);
  return child;
}

/**
 * Runs a script in a process of its own, without an environment, at a low priority, and answers
 * what it wrote to its standard output (nothing or half of it when it died: of its bound of memory,
 * for one), or why it was ended. @throws the signal's reason when it is aborted; the process is
 * dead then
 */
export function runLimitedChild(
  request: ChildRequest,
): Promise<Buffer | "late" | "long" | "unstarted"> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    const child = limitedProcess(request);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let ended: "late" | "long" | "unstarted" | null = null;
    const end = (reason: typeof ended) => {
      ended ??= reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => end("late"), request.deadlineMilliseconds);
    const watch =
      request.memoryMaxBytes &&
      watchMemory(child.pid, request.memoryMaxBytes, () => child.kill("SIGKILL"));
    const onAbort = () => child.kill("SIGKILL");
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > request.answerMaxBytes) return end("long");
      chunks.push(chunk);
    });
    child.on("error", () => end("unstarted"));
    child.stdin.on("error", () => {}); // a child that died early is reported by its end
    child.on("close", () => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) return reject(signal.reason);
      resolve(ended ?? Buffer.concat(chunks));
    });
    if (signal.aborted) return void onAbort();
    for (const piece of request.input) child.stdin.write(piece);
    child.stdin.end();
  });
}

const WATCH_MS = 25;

/** Kills a process that takes more than its bound, where the system tells it (Linux). */
export function watchMemory(
  pid: number | undefined,
  maxBytes: number,
  kill: () => void,
): NodeJS.Timeout {
  return setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024 > maxBytes) kill();
  }, WATCH_MS);
}

/**
 * Should hostile code ever leave what it runs in, it finds a process that may read what that runs
 * on and nothing else: no secrets, no files of others, no child processes, no threads.
 * @param readable paths and patterns from the service's root
 */
export function permissions(readable: readonly string[]): string[] {
  const root = /* turbopackIgnore: true */ process.cwd();
  return ["--permission", ...readable.map((path) => `--allow-fs-read=${join(root, path)}`)];
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the machine does not let us; it runs all the same.
  }
}
