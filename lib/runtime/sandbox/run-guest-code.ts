import "server-only";
import { spawn } from "node:child_process";
import { availableParallelism, setPriority } from "node:os";
import { join } from "node:path";
import { z } from "zod";

interface Slots {
  /** Waits for a place for `key` and answers the function that gives it back. Throws the signal's reason when it is aborted first. */
  acquire(key: string, signal: AbortSignal): Promise<() => void>;
}

/** A counting lock: at most `count` holders at once, at most `share` of one key; keys that wait are taken in turn, each in the order in which it asked. */
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

function waitForTurn(waiting: Map<string, Set<() => void>>, key: string, signal: AbortSignal): Promise<void> {
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

/** Longest time the code of one call may run, in milliseconds. */
export const GUEST_DEADLINE_MILLISECONDS = 10_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
const HOST_HEAP_MAX_MEBIBYTES = 192;
const OUTPUT_MAX_CHARACTERS = 48_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
/**
 * How much later the process is killed, whatever it does: time for a busy machine to start it, and for the child to stop by its
 * own deadline, so that what was logged until then is not lost.
 */
const GRACE_MILLISECONDS = 5000;

const answerSchema = z.object({
  error: z.string().optional(),
  result: z.string().optional(),
  cut: z.boolean().optional(),
  log: z.object({ text: z.string(), cut: z.boolean() }),
});

export interface GuestRequest {
  code: string;
  /** Texts by path, as the guest sees them in `files`. */
  files: Record<string, string>;
  signal: AbortSignal;
  /** Whose places it takes. */
  accountId: string;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/** `result` is JSON text, cut when `cut`; `error` is the guest's own or names the limit that ended it. */
export type GuestOutcome = { ok: true; result: string; cut: boolean; log: string } | { ok: false; error: string; log: string };

// One core is left to the service. No account has more than a quarter of the places.
const PLACES = Math.max(1, availableParallelism() - 1);
const slots = createSlots(PLACES, Math.max(1, Math.floor(PLACES / 4)));
/** Whatever else the machine does comes first. */
const NICENESS = 10;

/**
 * Runs untrusted JavaScript in QuickJS in a process of its own, without network, files, environment or timers. Never throws for
 * what the guest does; throws the signal's reason when it is aborted, and the process is dead then.
 */
export async function runGuestCode(request: GuestRequest): Promise<GuestOutcome> {
  const wait = slots.acquire(request.accountId, request.signal);
  const release = await (request.untimed?.(wait) ?? wait);
  try {
    return await runChild(request);
  } finally {
    release();
  }
}

function runChild({ code, files, signal, deadlineMilliseconds = GUEST_DEADLINE_MILLISECONDS }: GuestRequest): Promise<GuestOutcome> {
  // A plain file found at run time: bundlers must not follow it, and it holds its own imports.
  const script = join(/* turbopackIgnore: true */ process.cwd(), "lib", "runtime", "sandbox", "child.mjs");
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HOST_HEAP_MAX_MEBIBYTES}`, "--liftoff-only", "--disable-proto=delete", ...permissions(), script],
      {
        env: { NODE_ENV: "production" },
        stdio: ["pipe", "pipe", "ignore"],
      },
    );
    lowerPriority(child.pid);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let ended: string | null = null;
    const end = (reason: string) => {
      ended ??= reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(
      () => end(`The code did not finish within ${deadlineMilliseconds / 1000} seconds.`),
      deadlineMilliseconds + GRACE_MILLISECONDS,
    );
    const onAbort = () => end("aborted");
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_MAX_BYTES) return end("The code produced too much output.");
      chunks.push(chunk);
    });
    child.on("error", () => end("The sandbox could not be started."));
    child.stdin.on("error", () => {}); // a child that died early is reported by its end
    child.on("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) return reject(signal.reason);
      resolve(ended === null ? readAnswer(Buffer.concat(chunks)) : { ok: false, error: ended, log: "" });
    });
    if (signal.aborted) return onAbort();
    child.stdin.end(
      JSON.stringify({
        code,
        files,
        deadlineMilliseconds,
        memoryMaxBytes: MEMORY_MAX_BYTES,
        outputMaxCharacters: OUTPUT_MAX_CHARACTERS,
      }),
    );
  });
}

/**
 * Should guest code ever leave QuickJS and its WebAssembly, it finds a process that may read what it runs on and nothing else: no secrets, no files of
 * others, no child processes, no threads.
 */
export function permissions(): string[] {
  const root = /* turbopackIgnore: true */ process.cwd();
  const readable = [
    "lib/runtime/sandbox/*",
    "node_modules/quickjs-emscripten/*",
    "node_modules/quickjs-emscripten-core/*",
    "node_modules/@jitl/*",
  ];
  const flag = process.allowedNodeEnvironmentFlags.has("--permission") ? "--permission" : "--experimental-permission";
  return [flag, ...readable.map((path) => `--allow-fs-read=${join(root, path)}`)];
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // It has ended already, or the machine does not let us; it runs all the same.
  }
}

function readAnswer(bytes: Buffer): GuestOutcome {
  let parsed: ReturnType<typeof answerSchema.safeParse> | null = null;
  try {
    parsed = answerSchema.safeParse(JSON.parse(bytes.toString("utf8")));
  } catch {
    parsed = null;
  }
  if (!parsed?.success) return { ok: false, error: "The code used too much memory or stack, so it was stopped.", log: "" };
  const { error, result = "null", cut = false, log } = parsed.data;
  const text = log.cut ? `${log.text}\n[log cut]` : log.text;
  if (error !== undefined) return { ok: false, error, log: text };
  return { ok: true, result, cut, log: text };
}
