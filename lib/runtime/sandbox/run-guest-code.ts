import { definePart } from "@/lib/service";
import "server-only";
import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { pathInRun } from "@/lib/model/run/run-file-path";
import { type Frame, packFrame } from "@/lib/runtime/sandbox/frame-reader";
import {
  answered,
  GUEST_FILES_MAX_BYTES,
  GuestFailure,
  type GuestFound,
  type GuestRead,
  GuestReads,
} from "@/lib/runtime/sandbox/guest-reads";
import {
  createSlots,
  limitedProcess,
  PLACES,
  permissions,
} from "@/lib/runtime/sandbox/run-limited-child";
import { TalkingChild } from "@/lib/runtime/sandbox/talking-child";

/** Longest time the code of one call may run where nothing else is said, in milliseconds. */
const DEADLINE_MILLISECONDS = 10_000;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** Tables are read here, beside the guest. */
const HOST_HEAP_MAX_MEBIBYTES = 384;
const PROCESS_MAX_BYTES = 1024 * 1024 * 1024;
const OUTPUT_MAX_CHARACTERS = 48_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const SAVED_MAX_FILES = 50;
/** Pieces that they are saved in: each costs some bytes and some work of the service. */
const SAVED_MAX_PIECES = 20_000;
/** Files and charts that one call may have made, and all that it may hand over for them. */
const MADE_MAX = 100;
const ORDERED_MAX_BYTES = GUEST_FILES_MAX_BYTES;
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

/** A file that guest code saved, or had made. */
export interface GuestFile {
  path: string;
  bytes: Uint8Array;
  /** Its media type, where the code named one. */
  mime?: string;
  /** What its maker says of it. */
  facts?: MadeFacts;
}

/** What files are made by. */
export const MAKERS = ["xlsx", "docx", "pptx", "pdf", "csv", "svg", "png", "zip"] as const;

/** A file that guest code wants made. */
export interface GuestOrder {
  maker: (typeof MAKERS)[number];
  /** JSON of what it is to hold. */
  spec: Uint8Array;
}

/** Of a file that was made: its pages or slides, and what whoever ordered it should know. */
export interface MadeFacts {
  pages?: number | undefined;
  slides?: number | undefined;
  note?: string | undefined;
}

/**
 * Makes a file; `named` gives those that it is made of. What it throws of `GuestFailure` the guest
 * catches.
 */
export type GuestMake = (
  order: GuestOrder,
  named: (path: string) => Promise<GuestFound | null>,
) => Promise<{ bytes: Uint8Array; facts: MadeFacts }>;

export interface GuestRequest {
  code: string;
  /** Texts by path, as the guest sees them in `files` from the beginning. */
  files: Record<string, string>;
  /** What it asks for while it works. None: it has no more files. */
  read?: GuestRead;
  /** None: nothing can be made. */
  make?: GuestMake;
  signal: AbortSignal;
  /** Whose places it takes. */
  accountId: string;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/**
 * `result` is JSON text, cut when `cut`; `error` is the guest's own or names the limit that ended
 * it. What code saved counts only when it came to its end: of code that failed nothing is kept.
 */
export type GuestOutcome =
  | { ok: true; result: string; cut: boolean; log: string; files: GuestFile[] }
  | { ok: false; error: string; log: string };

// No account has more than a quarter of the places.
const slots = definePart("sandbox.slots", () =>
  createSlots(PLACES, Math.max(1, Math.floor(PLACES / 4))),
);
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
  const wait = slots().acquire(request.accountId, request.signal);
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
  make,
  signal,
  deadlineMilliseconds = DEADLINE_MILLISECONDS,
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
  const guest = new GuestTalk(read, make);
  const args = [
    `--max-old-space-size=${HOST_HEAP_MAX_MEBIBYTES}`,
    "--disable-proto=delete",
    ...permissions(GUEST_READABLE),
  ];
  const child = new TalkingChild(
    limitedProcess({ args, script: "lib/runtime/sandbox/child.mjs" }),
    PROCESS_MAX_BYTES,
  );
  const ended = await child
    .exchange({
      pieces: packFrame(request),
      hear: (frame) => guest.hear(frame),
      deadlineMilliseconds: deadlineMilliseconds + GRACE_MILLISECONDS,
      answerMaxBytes: ANSWER_MAX_BYTES + GUEST_FILES_MAX_BYTES + ORDERED_MAX_BYTES,
      signal,
    })
    .finally(() => child.end());
  if (ended === "done" || ended === "dead") return guest.outcome();
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
  z.object({ make: z.enum(MAKERS), path: z.string().optional() }),
  z.object({ answer: z.literal(true) }),
]);

/** A file as it grows. */
interface Saved {
  path: string;
  pieces: Uint8Array[];
  mime: string | undefined;
  facts?: MadeFacts;
}

/** What a child says while it works: it may be hostile, and is held to what a guest may do. */
class GuestTalk {
  readonly #reads: GuestReads;
  readonly #make: GuestMake | undefined;
  /** By path, without the sign of the run's files. */
  readonly #saved = new Map<string, Saved>();
  #pieces = 0;
  #leftToSave = GUEST_FILES_MAX_BYTES;
  #leftToOrder = ORDERED_MAX_BYTES;
  #leftToMake = MADE_MAX;
  #answer: Buffer | null = null;

  constructor(read: GuestRead | undefined, make: GuestMake | undefined) {
    this.#reads = new GuestReads(read, (path) => this.#own(path));
    this.#make = make;
  }

  /** What comes back for a frame; null for the last one. @throws SyntaxError for what is none */
  async hear({ header, payload }: Frame): Promise<readonly Uint8Array[] | null> {
    const { data: frame } = frameSchema.safeParse(header);
    if (frame === undefined) throw new SyntaxError("no frame of a guest");
    if ("read" in frame) return answered(() => this.#answerRead(frame.read, frame.as));
    if ("make" in frame)
      return answered(() => this.#answerMake(frame.make, frame.path ?? null, payload));
    if ("save" in frame) {
      this.#keep(frame, payload);
      return [];
    }
    this.#answer ??= payload;
    return null;
  }

  #keep(
    { save, append, mime }: { save: string; append: boolean; mime?: string | undefined },
    piece: Uint8Array,
    facts?: MadeFacts,
  ) {
    const key = keyOf(save);
    const before = append ? this.#saved.get(key) : undefined;
    this.#pieces += 1;
    if (this.#pieces > SAVED_MAX_PIECES) throw new SyntaxError("too many pieces of files");
    this.#leftToSave -= piece.length;
    if (this.#leftToSave < 0) throw new SyntaxError("too many bytes of files");
    const file = before ?? { path: save, pieces: [], mime, ...(facts && { facts }) };
    file.pieces.push(piece);
    this.#saved.set(key, file);
    if (this.#saved.size > SAVED_MAX_FILES) throw new SyntaxError("too many files");
  }

  /** What the code has saved before, whole. */
  #own(path: string): Uint8Array | null {
    const file = this.#saved.get(keyOf(path));
    if (file === undefined) return null;
    const whole = file.pieces.length === 1 ? file.pieces[0] : Buffer.concat(file.pieces);
    file.pieces = [whole ?? new Uint8Array()];
    return file.pieces[0] ?? null;
  }

  async #answerRead(path: string, form: "text" | "bytes"): Promise<readonly Uint8Array[]> {
    const file = await this.#reads.find(path, form);
    if (file === null) return packFrame({ found: false });
    if (file.isSaved && form === "text" && !isUtf8(file.bytes))
      throw new GuestFailure(
        `${path} was saved by this very code and is no text; its text is there for the next call.`,
      );
    return packFrame({ found: true }, file.bytes);
  }

  async #answerMake(
    maker: GuestOrder["maker"],
    path: string | null,
    spec: Uint8Array,
  ): Promise<readonly Uint8Array[]> {
    if (this.#make === undefined) throw new GuestFailure("No files can be made here.");
    this.#leftToMake -= 1;
    this.#leftToOrder -= spec.length;
    if (this.#leftToMake < 0)
      throw new GuestFailure(`One call has at most ${MADE_MAX} files and charts made.`);
    if (this.#leftToOrder < 0)
      throw new GuestFailure(
        `One call hands over at most ${ORDERED_MAX_BYTES} bytes for its files.`,
      );
    const { bytes, facts } = await this.#make({ maker, spec }, (name) =>
      this.#reads.find(name, "bytes"),
    );
    if (path === null) return packFrame({ found: true }, bytes);
    if (bytes.length > this.#leftToSave)
      throw new GuestFailure(
        `The files saved by one call have at most ${GUEST_FILES_MAX_BYTES} bytes.`,
      );
    this.#keep({ save: path, append: false }, bytes, facts);
    return packFrame({ facts: { path, size_bytes: bytes.length, ...facts } });
  }

  outcome(): GuestOutcome {
    const outcome = readAnswer(this.#answer);
    if (!outcome.ok) return outcome;
    const files = [...this.#saved.values()].map(({ path, pieces, mime, facts }) => ({
      path,
      bytes: Buffer.concat(pieces),
      ...(mime !== undefined && { mime }),
      ...(facts && { facts }),
    }));
    return { ...outcome, files };
  }
}

/** With and without the sign a path means the same file of the run. */
function keyOf(path: string): string {
  return pathInRun(path) ?? path;
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
