import "server-only";
import { z } from "zod";
import { openPythonProcess, type PythonProcess } from "@/lib/runtime/python/python-process";
import { packFrame } from "@/lib/runtime/sandbox/frames.mjs";
import { createSlots, PLACES } from "@/lib/runtime/sandbox/run-limited-child";

/** Longest time that one call computes where nothing else is said, in milliseconds. */
const DEADLINE_MILLISECONDS = 30_000;
const OUTPUT_MAX_CHARACTERS = 48_000;
const FILES_MAX = 20;
const FILES_MAX_BYTES = 64 * 1024 * 1024;
/** Runs whose Python is kept at once, each with some 200 MB; the one unused for longest goes. */
const SESSIONS_MAX = 4;
const IDLE_MILLISECONDS = 5 * 60_000;

const answerSchema = z.object({
  error: z.string().optional(),
  result: z.string().optional(),
  cut: z.boolean().optional(),
  log: z.object({ text: z.string(), cut: z.boolean() }),
  paths: z.array(z.string()),
  problem: z.string().optional(),
});

export interface PythonRequest {
  code: string;
  /** Written into its folder before the code runs. */
  files: readonly { path: string; bytes: Uint8Array }[];
  /** Whose variables it sees: those of the calls with the same key, while their process lives. */
  session: string;
  accountId: string;
  signal: AbortSignal;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

/** `fresh`: nothing of an earlier call is there. `files` are those that the code wrote. */
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

const slots = createSlots(PLACES, Math.max(1, Math.floor(PLACES / 2)));
const sessions = new Map<string, Session>();
/** One that has begun ahead, so that the next run's first call does not wait for it. */
let spare: PythonProcess | null = null;

/**
 * Runs untrusted Python in a process of its own, without network, the machine's files or an
 * environment, on a bound of memory and time; what it defines is there for the next call of the
 * same session. Never throws for what the code does; throws the signal's reason when it is aborted,
 * and the process is dead then.
 */
export async function runPython(request: PythonRequest): Promise<PythonOutcome> {
  const wait = slots.acquire(request.accountId, request.signal);
  const release = await (request.untimed?.(wait) ?? wait);
  try {
    return await runInSession(request);
  } finally {
    release();
  }
}

async function runInSession(request: PythonRequest): Promise<PythonOutcome> {
  const { session: key, accountId, signal } = request;
  const known = sessions.get(key);
  const isKnown = known?.accountId === accountId && !known.isBusy && known.process.isAlive();
  // A second call at the same time has a process of its own, which ends with it.
  const isSecond = known?.accountId === accountId && known.isBusy;
  if (known && !isKnown && !isSecond) endSession(key);
  const process = isKnown ? known.process : takeProcess();
  const session: Session = isKnown
    ? known
    : { accountId, process, isBusy: true, usedAt: 0, timer: setTimeout(() => {}, 0) };
  clearTimeout(session.timer);
  session.isBusy = true;
  if (!isSecond) sessions.set(key, session);
  makeRoom();
  const onAbort = () => process.end();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    const outcome = await call(process, request);
    signal.throwIfAborted();
    return { ...outcome, fresh: !isKnown };
  } finally {
    signal.removeEventListener("abort", onAbort);
    session.isBusy = false;
    session.usedAt = performance.now();
    if (isSecond || !process.isAlive()) {
      process.end();
      if (!isSecond) endSession(key);
    } else {
      session.timer = setTimeout(() => endSession(key), IDLE_MILLISECONDS).unref();
    }
  }
}

async function call(
  process: PythonProcess,
  { code, files, deadlineMilliseconds = DEADLINE_MILLISECONDS }: PythonRequest,
): Promise<PythonOutcome> {
  const header = {
    code,
    paths: files.map(({ path }) => path),
    outputMaxCharacters: OUTPUT_MAX_CHARACTERS,
    filesMax: FILES_MAX,
    filesMaxBytes: FILES_MAX_BYTES,
  };
  const answer = await process.ask(
    packFrame(
      header,
      files.map(({ bytes }) => bytes),
    ),
    deadlineMilliseconds,
  );
  const failed = (error: string) => ({ ok: false as const, error, log: "", fresh: true });
  if (answer === "late")
    return failed(
      `The code did not finish within ${deadlineMilliseconds / 1000} seconds, and was stopped: its variables are gone.`,
    );
  if (answer === "unstarted") return failed("Python could not be started. Try again later.");
  if (answer === "dead")
    return failed("The code used too much memory, so it was stopped: its variables are gone.");
  const parsed = answerSchema.safeParse(answer.header);
  if (!parsed.success) return failed("Python gave no answer.");
  const { error, result = "null", cut = false, log, paths, problem } = parsed.data;
  const text = log.cut ? `${log.text}\n[log cut]` : log.text;
  if (error !== undefined) return { ok: false, error, log: text, fresh: false };
  return {
    ok: true,
    fresh: false,
    result,
    cut,
    log: text,
    files: paths.map((path, at) => ({ path, bytes: answer.payloads[at] ?? new Uint8Array() })),
    ...(problem !== undefined && { problem }),
  };
}

/** The one that has begun ahead, or a new one; and begins the next. */
function takeProcess(): PythonProcess {
  const process = spare?.isAlive() ? spare : openPythonProcess();
  const next = openPythonProcess();
  spare = next;
  setTimeout(() => {
    if (spare !== next) return;
    next.end();
    spare = null;
  }, IDLE_MILLISECONDS).unref();
  return process;
}

function makeRoom(): void {
  while (sessions.size > SESSIONS_MAX) {
    const idle = [...sessions].filter(([, { isBusy }]) => !isBusy);
    const [oldest] = idle.sort(([, left], [, right]) => left.usedAt - right.usedAt);
    if (!oldest) return;
    endSession(oldest[0]);
  }
}

function endSession(key: string): void {
  const session = sessions.get(key);
  if (!session) return;
  clearTimeout(session.timer);
  session.process.end();
  sessions.delete(key);
}

/** Ends every process; for the end of the service and of tests. */
export function endPython(): void {
  for (const key of [...sessions.keys()]) endSession(key);
  spare?.end();
  spare = null;
}
