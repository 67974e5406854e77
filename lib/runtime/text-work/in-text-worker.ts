import "server-only";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { env } from "@/lib/env";
import { RunFailure, type RunFailureCode } from "@/lib/model/run/run-failure";
import { createSlots, PLACES } from "@/lib/runtime/sandbox/run-limited-child";
import type { TextWork, TextWorkOrder, TextWorkReport } from "@/lib/runtime/text-work/text-work";
import { definePart } from "@/lib/service";

/** Made of worker.ts, with all that it imports, before the service starts. */
const SCRIPT = ".cache/text-worker.mjs";
const DEADLINE_MS = 10_000;
const ANSWER_MAX_CHARACTERS = 4_000_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

interface TextWorkOptions {
  /** Whose text it is: an account has at most half of the threads. */
  account: string;
  signal?: AbortSignal | undefined;
  /** From the moment at which a thread begins with it. */
  deadlineMs?: number;
  answerMaxCharacters?: number;
}

/** A text took longer, more memory, or a longer answer than one may. */
export class TextWorkEnded extends Error {
  override readonly name = "TextWorkEnded";
  constructor(readonly reason: "late" | "long" | "memory") {
    super(
      {
        late: "The text took too long to work through.",
        long: "What the text comes to is too long.",
        memory: "The text took too much memory to work through.",
      }[reason],
    );
  }
}

/** An error of the work itself, by the name that it had in its thread. */
export class TextWorkFailed extends Error {
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}

/** A thread, and who waits for its next report. */
interface Lane {
  worker: Worker;
  hear: (report: TextWorkReport | Error) => void;
}

interface Pool {
  slots: ReturnType<typeof createSlots>;
  /** Every thread that has begun and has not ended. */
  lanes: Set<Lane>;
  idle: Lane[];
}

const pool = definePart(
  "text-workers",
  (): Pool => ({
    slots: createSlots(PLACES, Math.max(1, Math.floor(PLACES / 2))),
    lanes: new Set(),
    idle: [],
  }),
  ({ lanes }) => Promise.all([...lanes].map(({ worker }) => worker.terminate())),
);

/**
 * Does one kind of work on a text in a thread of its own, which is ended when it takes too long or
 * too much; accounts take turns.
 * @throws TextWorkEnded; RunFailure where the work throws one, TextWorkFailed for any other error
 * of it; the signal's reason when it is aborted
 */
export async function inTextWorker<Kind extends keyof TextWork>(
  kind: Kind,
  input: Parameters<TextWork[Kind]>[0],
  options: TextWorkOptions,
): Promise<ReturnType<TextWork[Kind]>> {
  const { account, deadlineMs = DEADLINE_MS } = options;
  const signal = options.signal ?? new AbortController().signal;
  const { slots, lanes, idle } = pool();
  const leave = await slots.acquire(account, signal);
  try {
    const lane = idle.pop() ?? (await openLane(lanes));
    const maxCharacters = options.answerMaxCharacters ?? ANSWER_MAX_CHARACTERS;
    const report = await carryOut(lane, { kind, input, maxCharacters }, deadlineMs, signal);
    // One that was ended never comes back.
    lane.worker.unref();
    idle.push(lane);
    return readReport(report);
  } finally {
    leave();
  }
}

function readReport<Answer>(report: TextWorkReport): Answer {
  if (report.is === "done") return JSON.parse(report.json);
  if (report.is === "failed")
    throw report.code === null
      ? new TextWorkFailed(report.name, report.message)
      : new RunFailure(report.code as RunFailureCode, report.message); // it was one there
  throw new TextWorkEnded("long");
}

/** @throws what its module threw, where it cannot begin */
async function openLane(lanes: Set<Lane>): Promise<Lane> {
  const worker = new Worker(join(/* turbopackIgnore: true */ process.cwd(), SCRIPT), {
    // What works on texts needs no keys and no addresses.
    env: { NODE_ENV: env().NODE_ENV },
    execArgv: [],
    resourceLimits: MEMORY,
  });
  const lane: Lane = { worker, hear: () => {} };
  worker.on("message", (report: TextWorkReport) => lane.hear(report));
  worker.on("error", (error: NodeJS.ErrnoException) =>
    lane.hear(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TextWorkEnded("memory") : error),
  );
  worker.on("exit", () => {
    lanes.delete(lane);
    lane.hear(new TextWorkEnded("memory"));
  });
  lanes.add(lane);
  await nextReport(lane);
  return lane;
}

function nextReport(lane: Lane): Promise<TextWorkReport> {
  return new Promise((resolve, reject) => {
    lane.hear = (report) => (report instanceof Error ? reject(report) : resolve(report));
  });
}

/** One order from its beginning to its end; a thread that does not come to it is ended. */
async function carryOut(
  lane: Lane,
  order: TextWorkOrder,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<TextWorkReport> {
  const reported = nextReport(lane);
  const end = (reason: Error) => lane.hear(reason);
  const onAbort = () => end(signal.reason);
  const timer = setTimeout(() => end(new TextWorkEnded("late")), deadlineMs);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    else {
      lane.worker.ref();
      lane.worker.postMessage(order);
    }
    return await reported;
  } catch (error) {
    void lane.worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
