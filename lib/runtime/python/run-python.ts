import { definePart } from "@/lib/service";
import "server-only";
import { z } from "zod";
import { openPythonProcess, type PythonProcess } from "@/lib/runtime/python/python-process";
import { type Frame, packFrame } from "@/lib/runtime/sandbox/frame-reader";
import {
  answered,
  GUEST_FILES_MAX_BYTES,
  type GuestRead,
  GuestReads,
} from "@/lib/runtime/sandbox/guest-reads";
import { createSlots, PLACES } from "@/lib/runtime/sandbox/run-limited-child";

/** Longest time that one call computes where nothing else is said, in milliseconds. */
const DEADLINE_MILLISECONDS = 10_000;
const OUTPUT_MAX_CHARACTERS = 48_000;
const FILES_MAX = 50;
/** Runs whose Python is kept at once, each with some 200 MB; the one unused for longest goes. */
const SESSIONS_MAX = 4;
const IDLE_MILLISECONDS = 5 * 60_000;

const answerSchema = z.object({
  error: z.string().optional(),
  result: z.string().optional(),
  cut: z.boolean().optional(),
  log: z.object({ text: z.string(), cut: z.boolean() }),
  problem: z.string().optional(),
});

const frameSchema = z.union([
  z.object({ read: z.string(), as: z.enum(["text", "bytes"]) }),
  z.object({ save: z.string() }),
  z.object({ answer: z.literal(true) }),
]);

export interface PythonRequest {
  code: string;
  /** Paths of files that are put into its folder before the code runs. */
  files: readonly string[];
  /** What it asks for. */
  read?: GuestRead;
  /** Whose variables it sees: those of the calls with the same key, while their process lives. */
  session: string;
  accountId: string;
  signal: AbortSignal;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/**
 * `fresh`: nothing of an earlier call is there. `files` are those that the code saved, or wrote
 * into its folder; why they were not kept, where they were not, says `problem`.
 */
export type PythonOutcome = { fresh: boolean; log: string } & (
  | {
      ok: true;
      /** JSON text. */
      result: string;
      cut: boolean;
      files: { path: string; bytes: Uint8Array }[];
      problem?: string;
    }
  | { ok: false; error: string }
);

interface Session {
  accountId: string;
  process: PythonProcess;
  isBusy: boolean;
  usedAt: number;
  timer: NodeJS.Timeout;
}

interface Pythons {
  slots: ReturnType<typeof createSlots>;
  sessions: Map<string, Session>;
  /** One that has begun ahead, so that the next run's first call does not wait for it. */
  spare: PythonProcess | null;
}

const pythons = definePart(
  "python",
  (): Pythons => ({
    slots: createSlots(PLACES, Math.max(1, Math.floor(PLACES / 2))),
    sessions: new Map(),
    spare: null,
  }),
  (made) => {
    for (const key of [...made.sessions.keys()]) endSession(made, key);
    made.spare?.end();
  },
);

/**
 * Runs untrusted Python in a process of its own, without network, the machine's files or an
 * environment, on a bound of memory and time; what it defines is there for the next call of the
 * same session. Never throws for what the code does; throws the signal's reason when it is aborted,
 * and the process is dead then.
 */
export async function runPython(request: PythonRequest): Promise<PythonOutcome> {
  const made = pythons();
  const wait = made.slots.acquire(request.accountId, request.signal);
  const release = await (request.untimed?.(wait) ?? wait);
  try {
    return await runInSession(made, request);
  } finally {
    release();
  }
}

async function runInSession(made: Pythons, request: PythonRequest): Promise<PythonOutcome> {
  const { session: key, accountId } = request;
  const { sessions } = made;
  const known = sessions.get(key);
  const isKnown = known?.accountId === accountId && !known.isBusy && known.process.isAlive();
  // A second call at the same time has a process of its own, which ends with it.
  const isSecond = known?.accountId === accountId && known.isBusy;
  if (known && !isKnown && !isSecond) endSession(made, key);
  const process = isKnown ? known.process : takeProcess(made);
  const session: Session = isKnown
    ? known
    : { accountId, process, isBusy: true, usedAt: 0, timer: setTimeout(() => {}, 0) };
  clearTimeout(session.timer);
  session.isBusy = true;
  if (!isSecond) sessions.set(key, session);
  makeRoom(made);
  try {
    const outcome = await call(process, request);
    return { ...outcome, fresh: !isKnown };
  } finally {
    session.isBusy = false;
    session.usedAt = performance.now();
    if (isSecond || !process.isAlive()) {
      process.end();
      if (!isSecond) endSession(made, key);
    } else {
      session.timer = setTimeout(() => endSession(made, key), IDLE_MILLISECONDS).unref();
    }
  }
}

async function call(
  process: PythonProcess,
  { code, files, read, signal, deadlineMilliseconds = DEADLINE_MILLISECONDS }: PythonRequest,
): Promise<PythonOutcome> {
  const talk = new PythonTalk(read);
  const ended = await process.call({
    header: {
      code,
      paths: files,
      outputMaxCharacters: OUTPUT_MAX_CHARACTERS,
      filesMax: FILES_MAX,
      filesMaxBytes: GUEST_FILES_MAX_BYTES,
    },
    deadlineMilliseconds,
    signal,
    hear: (frame) => talk.hear(frame),
  });
  if (ended === "done") return talk.outcome();
  const seconds = deadlineMilliseconds / 1000;
  const error = {
    late:
      `The code did not finish within ${seconds} seconds, and was stopped: its variables are ` +
      "gone.",
    unstarted: "Python could not be started. Try again later.",
    dead: "The code used too much memory, so it was stopped: its variables are gone.",
    long: "The code produced too much output, so it was stopped: its variables are gone.",
  }[ended];
  return { ok: false, error, log: "", fresh: true };
}

/** What Python says while it works: it may be hostile, and is held to what a guest may do. */
class PythonTalk {
  readonly #reads: GuestReads;
  readonly #saved = new Map<string, Uint8Array>();
  #answer: Buffer | null = null;

  constructor(read: GuestRead | undefined) {
    this.#reads = new GuestReads(read);
  }

  async hear({ header, payload }: Frame): Promise<readonly Uint8Array[] | null> {
    const { data: frame } = frameSchema.safeParse(header);
    if (frame === undefined) throw new SyntaxError("no frame of Python");
    if ("read" in frame) return answered(() => this.#answerRead(frame.read, frame.as));
    if ("save" in frame) {
      this.#saved.set(frame.save, payload);
      if (this.#saved.size > FILES_MAX) throw new SyntaxError("too many files");
      return [];
    }
    this.#answer = payload;
    return null;
  }

  async #answerRead(path: string, form: "text" | "bytes"): Promise<readonly Uint8Array[]> {
    const file = await this.#reads.find(path, form);
    return file === null ? packFrame({ found: false }) : packFrame({ found: true }, file.bytes);
  }

  outcome(): PythonOutcome {
    const parsed = answerSchema.safeParse(parseJson(this.#answer?.toString("utf8") ?? ""));
    // In a container the guest can write an answer of its own.
    if (!parsed.success || !isWhole(parsed.data))
      return { ok: false, error: "Python gave no answer.", log: "", fresh: true };
    const { error, result = "null", cut = false, log, problem } = parsed.data;
    const text = log.cut ? `${log.text}\n[log cut]` : log.text;
    if (error !== undefined) return { ok: false, error, log: text, fresh: false };
    return {
      ok: true,
      fresh: false,
      result,
      cut,
      log: text,
      files: [...this.#saved].map(([path, bytes]) => ({ path, bytes })),
      ...(problem !== undefined && { problem }),
    };
  }
}

/** Whether a result that was not cut is JSON. */
function isWhole({ result, cut }: z.infer<typeof answerSchema>): boolean {
  return result === undefined || cut === true || parseJson(result) !== undefined;
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The one that has begun ahead, or a new one; and begins the next. */
function takeProcess(made: Pythons): PythonProcess {
  const process = made.spare?.isAlive() ? made.spare : openPythonProcess();
  const next = openPythonProcess();
  made.spare = next;
  setTimeout(() => {
    if (made.spare !== next) return;
    next.end();
    made.spare = null;
  }, IDLE_MILLISECONDS).unref();
  return process;
}

function makeRoom(made: Pythons): void {
  while (made.sessions.size > SESSIONS_MAX) {
    const idle = [...made.sessions].filter(([, { isBusy }]) => !isBusy);
    const [oldest] = idle.sort(([, left], [, right]) => left.usedAt - right.usedAt);
    if (!oldest) return;
    endSession(made, oldest[0]);
  }
}

function endSession({ sessions }: Pythons, key: string): void {
  const session = sessions.get(key);
  if (!session) return;
  clearTimeout(session.timer);
  session.process.end();
  sessions.delete(key);
}
