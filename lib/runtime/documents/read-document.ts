import "server-only";
import { z } from "zod";
import { inSlices } from "@/lib/platform/in-slices";
import { htmlToText } from "@/lib/runtime/documents/html-to-text";
import type { DocumentType } from "@/lib/runtime/documents/sniff-type";
import {
  createSlots,
  PLACES,
  permissions,
  runLimitedChild,
} from "@/lib/runtime/sandbox/run-limited-child";
import { definePart } from "@/lib/service";

/** The largest document that is read. */
export const DOCUMENT_MAX_BYTES = 32 * 1024 * 1024;
const DEADLINE_MILLISECONDS = 20_000;
const HEAP_MAX_MEBIBYTES = 384;
const MEMORY_MAX_BYTES = 768 * 1024 * 1024;
/**
 * Of an answer, which is read in one go: what was asked for, where each character takes a few
 * bytes, and room for one long section.
 */
const ANSWER_BYTES_PER_CHARACTER = 4;
const ANSWER_LEAST_BYTES = 8 * 1024 * 1024;
const ANSWER_MAX_BYTES = 64 * 1024 * 1024;
/** What the child's process may read: what it runs on. Packages hold no secrets. */
const READABLE = ["lib/runtime/documents/*", "node_modules/*", "package.json"];

const slots = definePart("documents.slots", () =>
  createSlots(PLACES, Math.max(1, Math.floor(PLACES / 2))),
);

export interface DocumentRequest {
  bytes: Uint8Array;
  type: DocumentType;
  /** The first page or slide, from 1. */
  from?: number;
  /** The last one. */
  to?: number;
  /** The name of a workbook's sheet; absent: all of them. */
  sheet?: string;
  /** Of cells: `A1:F20`, `A:C`, `10:40`. */
  range?: string;
  /** Whether cells come with the letters of their columns and the numbers of their rows. */
  addresses: boolean;
  /** When there are so many characters, no further section is read. */
  maxCharacters: number;
  /** Whose places it takes. */
  accountId: string;
  signal: AbortSignal;
  /** Waits for a place; time that is nobody's working time. The wait itself unless it is given. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
  deadlineMilliseconds?: number;
}

const contentSchema = z.object({
  sections: z.array(
    z.object({ reference: z.string(), text: z.string(), sheet: z.string().optional() }),
  ),
  parts: z.number(),
  sheets: z.array(z.object({ name: z.string(), rows: z.number(), columns: z.number() })).optional(),
  html: z.string().optional(),
  next: z.union([z.number(), z.string()]).nullable(),
});
const answerSchema = z.union([contentSchema, z.object({ error: z.string() })]);

/**
 * A part of a document that can be named: `page 3`, `sheet Sales!A1:F40`, `slide 2`; empty for a
 * text document.
 */
export interface DocumentSection {
  reference: string;
  text: string;
  /** Of a workbook. */
  sheet?: string;
}

export type DocumentContent =
  | {
      ok: true;
      sections: DocumentSection[];
      /** How many pages, slides or sheets there are. */
      parts: number;
      sheets: { name: string; rows: number; columns: number }[];
      /**
       * The page, slide or cells with which it would go on; null at the end of what was asked for.
       */
      next: number | string | null;
    }
  /** In a sentence, for the model and whoever reads along. */
  | { ok: false; problem: string };

/** The text of sections, each behind its place in brackets. */
export function textWithPlaces(sections: readonly DocumentSection[]): string {
  return sections
    .map(({ reference, text }) => (reference === "" ? text : `[${reference}]\n${text}`))
    .join("\n\n");
}

/**
 * Reads a document in a process of its own, with a bound of memory and time. Never throws for what
 * a document does; throws the signal's reason when it is aborted, and the process is dead then.
 */
export async function readDocument(request: DocumentRequest): Promise<DocumentContent> {
  if (request.bytes.length > DOCUMENT_MAX_BYTES)
    return {
      ok: false,
      problem:
        `It has ${request.bytes.length} bytes; documents of at most ${DOCUMENT_MAX_BYTES} are ` +
        "read.",
    };
  const wait = slots().acquire(request.accountId, request.signal);
  const release = await (request.untimed?.(wait) ?? wait);
  try {
    return await readInChild(request);
  } finally {
    release();
  }
}

async function readInChild(request: DocumentRequest): Promise<DocumentContent> {
  const {
    bytes,
    type,
    from = 1,
    to = null,
    sheet = null,
    range = null,
    addresses,
    maxCharacters,
    signal,
  } = request;
  const deadlineMilliseconds = request.deadlineMilliseconds ?? DEADLINE_MILLISECONDS;
  const asked = { type, from, to, sheet, range, addresses, maxCharacters, deadlineMilliseconds };
  const answer = await runLimitedChild({
    args: [`--max-old-space-size=${HEAP_MAX_MEBIBYTES}`, ...permissions(READABLE)],
    script: "lib/runtime/documents/child.mjs",
    input: [Buffer.from(`${JSON.stringify(asked)}\n`), bytes],
    deadlineMilliseconds,
    memoryMaxBytes: MEMORY_MAX_BYTES,
    answerMaxBytes: Math.min(
      ANSWER_MAX_BYTES,
      Math.max(ANSWER_LEAST_BYTES, maxCharacters * ANSWER_BYTES_PER_CHARACTER),
    ),
    signal,
  });
  if (answer === "late")
    return {
      ok: false,
      problem: `It could not be read within ${deadlineMilliseconds / 1000} seconds. ${LESS}`,
    };
  if (answer === "long")
    return { ok: false, problem: `It holds more text than can be read at once. ${LESS}` };
  if (answer === "unstarted")
    return {
      ok: false,
      problem: "It could not be read: the server had no room for it. Try again later.",
    };
  const parsed = answerSchema.safeParse(toJson(answer));
  if (!parsed.success)
    return { ok: false, problem: `It takes more memory than a document may. ${LESS}` };
  if ("error" in parsed.data) return { ok: false, problem: parsed.data.error };
  const { sections, parts, sheets = [], html, next } = parsed.data;
  if (html === undefined)
    return { ok: true, sections: sections.map(wellFormed), parts, sheets, next };
  const { text } = await inSlices(htmlToText(html, "about:blank"), { signal });
  return {
    ok: true,
    sections: [{ reference: "", text: text.replaceAll("\u0000", "\ufffd") }],
    parts,
    sheets,
    next,
  };
}

const LESS = "A smaller file, or a copy that was saved anew, may be readable.";

/** What libraries make of broken files may hold what no database takes. */
function wellFormed(section: DocumentSection): DocumentSection {
  return { ...section, text: section.text.toWellFormed().replaceAll("\u0000", "\ufffd") };
}

/** Undefined for what is none: the process died before it had written it all. */
function toJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
