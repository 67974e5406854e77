import "server-only";
import { z } from "zod";
import { type FileOrder, MADE_MAX_BYTES } from "@/lib/runtime/sandbox/file-order";
import { packFrame, unpackFrame } from "@/lib/runtime/sandbox/frames.mjs";
import {
  createSlots,
  PLACES,
  permissions,
  runLimitedChild,
} from "@/lib/runtime/sandbox/run-limited-child";

const DEADLINE_MILLISECONDS = 60_000;
const HEAP_MAX_MEBIBYTES = 640;
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024;
const HEADER_MAX_BYTES = 256 * 1024;
/** What its process may read: what it runs on. Packages hold no secrets. */
export const MAKERS_READABLE = [
  "lib/runtime/makers/*",
  "lib/runtime/sandbox/frames.mjs",
  "node_modules/*",
  "package.json",
];

const slots = createSlots(PLACES, Math.max(1, Math.floor(PLACES / 2)));

/** A file that was made, or why it was not. */
export type MadeFile =
  | {
      path: string;
      ok: true;
      bytes: Uint8Array<ArrayBuffer>;
      pages?: number;
      slides?: number;
      /** What the one who ordered it should know. */
      note?: string;
    }
  | { path: string; ok: false; problem: string };

const resultsSchema = z.array(
  z.union([
    z.object({ path: z.string(), error: z.string() }),
    z.object({
      path: z.string(),
      pages: z.number().optional(),
      slides: z.number().optional(),
      note: z.string().optional(),
    }),
  ]),
);

interface MakeRequest {
  orders: readonly FileOrder[];
  signal: AbortSignal;
  /** Whose places it takes. */
  accountId: string;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/**
 * Makes files in a process of its own, with a bound of memory and time; one of them may name those
 * before it. Never throws for what is ordered; throws the signal's reason when it is aborted, and
 * the process is dead then.
 */
export async function makeFiles(request: MakeRequest): Promise<MadeFile[]> {
  // What is only kept needs no process.
  if (request.orders.every(({ maker }) => maker === "save"))
    return request.orders.map(({ path, payload }) => ({
      path,
      ok: true,
      bytes: new Uint8Array(payload),
    }));
  const wait = slots.acquire(request.accountId, request.signal);
  const release = await (request.untimed?.(wait) ?? wait);
  try {
    return await makeInChild(request);
  } finally {
    release();
  }
}

async function makeInChild({
  orders,
  signal,
  deadlineMilliseconds = DEADLINE_MILLISECONDS,
}: MakeRequest): Promise<MadeFile[]> {
  const answer = await runLimitedChild({
    args: [`--max-old-space-size=${HEAP_MAX_MEBIBYTES}`, ...permissions(MAKERS_READABLE)],
    script: "lib/runtime/makers/child.mjs",
    input: packFrame(
      orders.map(({ path, maker }) => ({ path, maker })),
      orders.map(({ payload }) => payload),
    ),
    deadlineMilliseconds,
    memoryMaxBytes: MEMORY_MAX_BYTES,
    answerMaxBytes: MADE_MAX_BYTES + HEADER_MAX_BYTES,
    signal,
  });
  if (typeof answer !== "string") {
    const made = readAnswer(answer, orders);
    if (made !== null) return made;
  }
  const problem =
    typeof answer === "string"
      ? {
          late: `It was not made within ${deadlineMilliseconds / 1000} seconds.`,
          long: `The files have more than ${MADE_MAX_BYTES / 1024 / 1024} MiB together.`,
          unstarted: "The server had no room to make it. Try again later.",
        }[answer]
      : "It takes more memory than a file may.";
  return orders.map(({ path }) => ({ path, ok: false, problem }));
}

/** Null for half an answer: the process died before it had written it all. */
function readAnswer(answer: Buffer, orders: readonly FileOrder[]): MadeFile[] | null {
  let frame: ReturnType<typeof unpackFrame>;
  try {
    frame = unpackFrame(answer);
  } catch {
    return null;
  }
  const results = resultsSchema.safeParse(frame.header);
  if (!results.success || results.data.length !== orders.length) return null;
  return results.data.map((result, at) => {
    if ("error" in result) return { path: result.path, ok: false, problem: result.error };
    return { ...result, ok: true, bytes: new Uint8Array(frame.payloads[at] ?? []) };
  });
}
