import "server-only";
import { z } from "zod";
import { type FileOrder, MADE_MAX_BYTES, MAKERS } from "@/lib/runtime/sandbox/file-order";
import { packFrame, unpackFrame } from "@/lib/runtime/sandbox/frames.mjs";
import {
  createSlots,
  PLACES,
  permissions,
  runLimitedChild,
} from "@/lib/runtime/sandbox/run-limited-child";

/** Longest time the code of one call may run, in milliseconds. */
export const GUEST_DEADLINE_MILLISECONDS = 10_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** Tables are read here, beside the guest. */
const HOST_HEAP_MAX_MEBIBYTES = 384;
const PROCESS_MAX_BYTES = 1024 * 1024 * 1024;
const OUTPUT_MAX_CHARACTERS = 48_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
/** Files that one call may make. */
const ORDERS_MAX = 20;
/**
 * How much later the process is killed, whatever it does: time for a busy machine to start it, and
 * for the child to stop by its own deadline, so that what was logged until then is not lost.
 */
const GRACE_MILLISECONDS = 5000;

const answerSchema = z.object({
  error: z.string().optional(),
  result: z.string().optional(),
  cut: z.boolean().optional(),
  log: z.object({ text: z.string(), cut: z.boolean() }),
  orders: z.array(z.object({ maker: z.enum(MAKERS), path: z.string() })),
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

/**
 * `result` is JSON text, cut when `cut`; `error` is the guest's own or names the limit that ended
 * it. `orders` are the files that the code wants made, in their order.
 */
export type GuestOutcome =
  | { ok: true; result: string; cut: boolean; log: string; orders: FileOrder[] }
  | { ok: false; error: string; log: string };

// No account has more than a quarter of the places.
const slots = createSlots(PLACES, Math.max(1, Math.floor(PLACES / 4)));
/** What its process may read: what it runs on, and nothing else. */
export const GUEST_READABLE = [
  "lib/runtime/sandbox/*",
  "node_modules/quickjs-emscripten/*",
  "node_modules/quickjs-emscripten-core/*",
  "node_modules/@jitl/*",
];

/**
 * Runs untrusted JavaScript in QuickJS in a process of its own, without network, files, environment
 * or timers. Never throws for what the guest does; throws the signal's reason when it is aborted,
 * and the process is dead then.
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

async function runChild({
  code,
  files,
  signal,
  deadlineMilliseconds = GUEST_DEADLINE_MILLISECONDS,
}: GuestRequest): Promise<GuestOutcome> {
  const request = {
    code,
    paths: Object.keys(files),
    deadlineMilliseconds,
    memoryMaxBytes: MEMORY_MAX_BYTES,
    outputMaxCharacters: OUTPUT_MAX_CHARACTERS,
    ordersMax: ORDERS_MAX,
    ordersMaxBytes: MADE_MAX_BYTES,
  };
  const answer = await runLimitedChild({
    args: [
      `--max-old-space-size=${HOST_HEAP_MAX_MEBIBYTES}`,
      "--disable-proto=delete",
      ...permissions(GUEST_READABLE),
    ],
    script: "lib/runtime/sandbox/child.mjs",
    input: packFrame(
      request,
      Object.values(files).map((text) => Buffer.from(text)),
    ),
    deadlineMilliseconds: deadlineMilliseconds + GRACE_MILLISECONDS,
    memoryMaxBytes: PROCESS_MAX_BYTES,
    answerMaxBytes: ANSWER_MAX_BYTES + MADE_MAX_BYTES,
    signal,
  });
  if (typeof answer !== "string") return readAnswer(answer);
  const error = {
    late: `The code did not finish within ${deadlineMilliseconds / 1000} seconds.`,
    long: "The code produced too much output.",
    unstarted: "The sandbox could not be started.",
  }[answer];
  return { ok: false, error, log: "" };
}

function readAnswer(bytes: Buffer): GuestOutcome {
  let parsed: ReturnType<typeof answerSchema.safeParse> | null = null;
  let payloads: Uint8Array[] = [];
  try {
    const frame = unpackFrame(bytes);
    parsed = answerSchema.safeParse(frame.header);
    payloads = frame.payloads;
  } catch {
    parsed = null;
  }
  if (!parsed?.success)
    return {
      ok: false,
      error: "The code used too much memory or stack, so it was stopped.",
      log: "",
    };
  const { error, result = "null", cut = false, log, orders } = parsed.data;
  const text = log.cut ? `${log.text}\n[log cut]` : log.text;
  if (error !== undefined) return { ok: false, error, log: text };
  return {
    ok: true,
    result,
    cut,
    log: text,
    orders: orders.map((order, at) => ({ ...order, payload: payloads[at] ?? new Uint8Array() })),
  };
}
