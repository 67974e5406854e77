import "server-only";
import { z } from "zod";
import type { Frame } from "@/lib/runtime/sandbox/frame-reader";
import {
  createSlots,
  PLACES,
  permissions,
  runLimitedChild,
} from "@/lib/runtime/sandbox/run-limited-child";

/** Longest time the code of one call may run, in milliseconds. */
export const GUEST_DEADLINE_MILLISECONDS = 10_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
const HOST_HEAP_MAX_MEBIBYTES = 192;
const OUTPUT_MAX_CHARACTERS = 48_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
/** Of all that one call saves, and of each file that it reads. */
export const GUEST_FILES_MAX_BYTES = 64 * 1024 * 1024;
const SAVED_MAX_FILES = 50;
/** Pieces that they are saved in: each costs some bytes and some work of the service. */
const SAVED_MAX_PIECES = 20_000;
const READ_MAX_BYTES = 4 * GUEST_FILES_MAX_BYTES;
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
});

/** A file that guest code saved. */
export interface GuestFile {
  path: string;
  bytes: Uint8Array;
  /** Its media type, where the code named one. */
  mime?: string;
}

/** How guest code has a file: as text (of a document, a table), or its bytes as they are. */
export type GuestRead = (path: string, form: "text" | "bytes") => Promise<Uint8Array | null>;

export interface GuestRequest {
  code: string;
  /** Texts by path, as the guest sees them in `files` from the beginning. */
  files: Record<string, string>;
  /**
   * What it asks for while it works: null for a file that is not there. What it throws of
   * `GuestReadFailed` the guest catches. None: it has no more files.
   */
  read?: GuestRead;
  signal: AbortSignal;
  /** Whose places it takes. */
  accountId: string;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/** Why a file cannot be read; the message goes to the guest. */
export class GuestReadFailed extends Error {
  override readonly name = "GuestReadFailed";
}

/**
 * `result` is JSON text, cut when `cut`; `error` is the guest's own or names the limit that ended
 * it. What code saved counts only when it came to its end: of code that failed nothing is kept.
 */
export type GuestOutcome =
  | { ok: true; result: string; cut: boolean; log: string; files: GuestFile[] }
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
  read,
  signal,
  deadlineMilliseconds = GUEST_DEADLINE_MILLISECONDS,
}: GuestRequest): Promise<GuestOutcome> {
  const request = {
    code,
    files,
    deadlineMilliseconds,
    memoryMaxBytes: MEMORY_MAX_BYTES,
    outputMaxCharacters: OUTPUT_MAX_CHARACTERS,
    savedMaxBytes: GUEST_FILES_MAX_BYTES,
    savedMaxFiles: SAVED_MAX_FILES,
  };
  const guest = new GuestTalk(read);
  const ended = await runLimitedChild({
    args: [
      `--max-old-space-size=${HOST_HEAP_MAX_MEBIBYTES}`,
      "--liftoff-only",
      "--disable-proto=delete",
      ...permissions(GUEST_READABLE),
    ],
    script: "lib/runtime/sandbox/child.mjs",
    input: [Buffer.from(`${JSON.stringify(request)}\n`)],
    converse: (frame) => guest.hear(frame),
    deadlineMilliseconds: deadlineMilliseconds + GRACE_MILLISECONDS,
    answerMaxBytes: ANSWER_MAX_BYTES + GUEST_FILES_MAX_BYTES,
    signal,
  }).catch((error: unknown) => {
    // Not ours any more: what it said counts for nothing.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return "long" as const;
    throw error;
  });
  if (typeof ended !== "string") return guest.outcome();
  const error = {
    late: `The code did not finish within ${deadlineMilliseconds / 1000} seconds.`,
    long: "The code produced too much output.",
    unstarted: "The sandbox could not be started.",
  }[ended];
  return { ok: false, error, log: "" };
}

const frameSchema = z.union([
  z.object({
    save: z.string(),
    append: z.boolean(),
    mime: z.string().max(200).optional(),
  }),
  z.object({ read: z.string(), as: z.enum(["text", "bytes"]) }),
  z.object({ answer: z.literal(true) }),
]);

/** What a child says while it works: it may be hostile, and is held to what a guest may do. */
class GuestTalk {
  readonly #read: GuestRead | undefined;
  readonly #saved = new Map<string, { pieces: Buffer[]; mime: string | undefined }>();
  #pieces = 0;
  #leftToRead = READ_MAX_BYTES;
  #answer: Buffer | null = null;

  constructor(read: GuestRead | undefined) {
    this.#read = read;
  }

  async hear({ header, payload }: Frame): Promise<readonly Uint8Array[]> {
    const frame = frameSchema.parse(header);
    if ("read" in frame) return this.#answerRead(frame.read, frame.as);
    if ("answer" in frame) this.#answer ??= payload;
    else this.#keep(frame, payload);
    return [];
  }

  #keep(
    { save, append, mime }: { save: string; append: boolean; mime?: string | undefined },
    piece: Buffer,
  ) {
    const before = append ? this.#saved.get(save) : undefined;
    this.#pieces += 1;
    if (this.#pieces > SAVED_MAX_PIECES) throw new SyntaxError("too many pieces of files");
    const file = before ?? { pieces: [], mime };
    file.pieces.push(piece);
    this.#saved.set(save, file);
    if (this.#saved.size > SAVED_MAX_FILES) throw new SyntaxError("too many files");
  }

  async #answerRead(path: string, form: "text" | "bytes"): Promise<readonly Uint8Array[]> {
    const line = (answer: object) => Buffer.from(`${JSON.stringify(answer)}\n`);
    try {
      const bytes = (await this.#read?.(path, form)) ?? null;
      if (bytes === null) return [line({ found: false })];
      this.#leftToRead -= bytes.length;
      if (this.#leftToRead < 0)
        return [line({ error: `One call reads at most ${READ_MAX_BYTES} bytes.` })];
      return [line({ found: true, bytes: bytes.length }), bytes];
    } catch (error) {
      if (!(error instanceof GuestReadFailed)) throw error;
      return [line({ error: error.message })];
    }
  }

  outcome(): GuestOutcome {
    const outcome = readAnswer(this.#answer);
    if (!outcome.ok) return outcome;
    const files = [...this.#saved].map(([path, { pieces, mime }]) => ({
      path,
      bytes: Buffer.concat(pieces),
      ...(mime !== undefined && { mime }),
    }));
    return { ...outcome, files };
  }
}

function readAnswer(bytes: Buffer | null): GuestOutcome {
  let parsed: ReturnType<typeof answerSchema.safeParse> | null = null;
  try {
    parsed = bytes && answerSchema.safeParse(JSON.parse(bytes.toString("utf8")));
  } catch {
    parsed = null;
  }
  if (!parsed?.success)
    return {
      ok: false,
      error: "The code used too much memory or stack, so it was stopped.",
      log: "",
    };
  const { error, result = "null", cut = false, log } = parsed.data;
  const text = log.cut ? `${log.text}\n[log cut]` : log.text;
  if (error !== undefined) return { ok: false, error, log: text };
  return { ok: true, result, cut, log: text, files: [] };
}
