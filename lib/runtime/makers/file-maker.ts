import "server-only";
import { z } from "zod";
import { type Frame, packFrame } from "@/lib/runtime/sandbox/frame-reader";
import type { GuestOrder, MadeFacts } from "@/lib/runtime/sandbox/run-guest-code";
import { limitedProcess, permissions } from "@/lib/runtime/sandbox/run-limited-child";
import { TalkingChild } from "@/lib/runtime/sandbox/talking-child";

/** Of one file; and of all that one maker makes. */
const DEADLINE_MILLISECONDS = 60_000;
const WORK_MAX_MILLISECONDS = 120_000;
const HEAP_MAX_MEBIBYTES = 640;
const MEMORY_MAX_BYTES = 1024 * 1024 * 1024;
/** Of one file, with what its process asks for. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;
const HEADERS_MAX_BYTES = 256 * 1024;
/** What its process may read: what it runs on. Packages hold no secrets. */
export const MAKERS_READABLE = [
  "lib/runtime/makers/*",
  "lib/runtime/sandbox/parent.mjs",
  "node_modules/*",
  "package.json",
];

/** Why a file was not made; the message is for whoever ordered it. */
export class Unmade extends Error {
  override readonly name = "Unmade";
}

/** A file that an order names: its bytes, null where there is none. What it throws is passed on. */
export type ReadNamed = (path: string) => Promise<Uint8Array | null>;

const frameSchema = z.union([
  z.object({ need: z.string() }),
  z.object({ error: z.string() }),
  z.object({
    made: z.object({
      pages: z.number().optional(),
      slides: z.number().optional(),
      note: z.string().optional(),
    }),
  }),
]);

interface Made {
  bytes: Uint8Array;
  facts: MadeFacts;
}

/**
 * Makes files of data, in a process of its own with a bound of memory and time, which begins with
 * the first of them. Whoever opens one holds a place of the sandbox, which bounds how many there
 * are; and ends it.
 */
export class FileMaker {
  #child: TalkingChild | null = null;
  #worked = 0;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws Unmade; and the signal's reason when it is aborted, the process is dead then */
  async make({ maker, spec }: GuestOrder, readNamed: ReadNamed): Promise<Made> {
    if (this.#worked >= WORK_MAX_MILLISECONDS)
      throw new Unmade(
        `The files of one call took more than ${WORK_MAX_MILLISECONDS / 1000} seconds to make.`,
      );
    const child = this.#child?.isAlive ? this.#child : this.#begin();
    let made: Made | string | null = null;
    const hear = async ({ header, payload }: Frame) => {
      const { data: frame } = frameSchema.safeParse(header);
      if (frame === undefined) throw new SyntaxError("no frame of a maker");
      if ("need" in frame) {
        const bytes = await readNamed(frame.need);
        return bytes === null ? packFrame({ found: false }) : packFrame({ found: true }, bytes);
      }
      made = "made" in frame ? { bytes: payload, facts: frame.made } : frame.error;
      return null;
    };
    const deadline = Math.min(DEADLINE_MILLISECONDS, WORK_MAX_MILLISECONDS - this.#worked);
    const since = performance.now();
    const ended = await child.exchange({
      pieces: packFrame({ maker }, spec),
      deadlineMilliseconds: deadline,
      answerMaxBytes: FILE_MAX_BYTES + HEADERS_MAX_BYTES,
      hear,
      signal: this.#signal,
    });
    this.#worked += performance.now() - since;
    return requireMade(ended === "done" ? made : WHY[ended]);
  }

  end(): void {
    this.#child?.end();
  }

  #begin(): TalkingChild {
    const args = [`--max-old-space-size=${HEAP_MAX_MEBIBYTES}`, ...permissions(MAKERS_READABLE)];
    this.#child = new TalkingChild(
      limitedProcess({ args, script: "lib/runtime/makers/child.mjs" }),
      MEMORY_MAX_BYTES,
    );
    return this.#child;
  }
}

const WHY = {
  late: "It was not made in time.",
  long: `A file has at most ${FILE_MAX_BYTES / 1024 / 1024} MiB.`,
  dead: "It takes more memory than a file may.",
  unstarted: "The server had no room to make it. Try again later.",
};

/** @throws Unmade for the reason why there is none */
function requireMade(made: Made | string | null): Made {
  if (made === null) throw new Unmade(WHY.dead);
  if (typeof made === "string") throw new Unmade(made);
  return made;
}
