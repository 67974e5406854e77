import "server-only";
import { createHash } from "node:crypto";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { inSlices } from "@/lib/platform/in-slices";
import { htmlToText } from "@/lib/runtime/documents/html-to-text";
import {
  DOCUMENT_MAX_BYTES,
  type DocumentContent,
  readDocument,
  textWithPlaces,
} from "@/lib/runtime/documents/read-document";
import {
  type DocumentType,
  HEAD_BYTES,
  type ImageType,
  imageSize,
  isDocument,
  isImage,
  sniffKind,
} from "@/lib/runtime/documents/sniff-type";
import { PAGE_TOKENS } from "@/lib/runtime/models/read-turn";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";
import type { FileHead, FilesPort } from "@/lib/runtime/tools/tool-ports";

export interface ReadRequest {
  path: string;
  /** Of a text file in bytes, else in characters of the text that was asked for. */
  offset: number;
  max_bytes: number;
  pages?: string | undefined;
  sheet?: string | undefined;
  range?: string | undefined;
  /** Of HTML: as it is written. */
  source?: boolean;
}

/** Whose reading it is. */
export type Reader = Pick<
  ToolContext,
  "accountId" | "signal" | "untimed" | "seesImages" | "takesPdf" | "outputMaxTokens" | "redact"
>;

/**
 * Of a document, from where the reading of it begins: its pages follow each other by `next_offset`,
 * and what stands behind them is read by its pages or cells.
 */
const EXTRACTED_CHARACTERS = 60_000;
const HTML_MAX_BYTES = 4 * 1024 * 1024;

/**
 * What a model is given of a file, by what its first bytes say it is: text as it is, documents as
 * text with the places that it stands in, a picture as the note of one that `promptFiles` puts into
 * the next prompt, and so a short PDF file for a model that takes it as it is. What nothing reads
 * is described: bytes that are no text never stand in a context.
 * @throws ToolFailure for a file that is not there or cannot be read
 */
export async function readFile(
  files: FilesPort,
  request: ReadRequest,
  reader: Reader,
): Promise<JsonObject> {
  const { path, offset, max_bytes: maxBytes } = request;
  const head = await files.head(path, HEAD_BYTES);
  const kind = sniffKind(head.bytes, path);
  if (kind === "text" || (kind === "html" && request.source))
    return { ...(await files.read(path, { offset, maxBytes })) };
  if (isDocument(kind)) return readPages(files, kind, request, reader, head);
  if (isImage(kind)) return describeImage(path, head, kind, reader);
  if (kind === "html" || kind === "utf-16") {
    const text = await decoded(await files.readBytes(path, HTML_MAX_BYTES), kind, reader.signal);
    return { ...cut(text, offset, maxBytes), size_bytes: head.size_bytes };
  }
  const what = {
    zip: "an archive",
    ole: "a document of an old binary format, or one with a password",
    binary: "no text",
  }[kind];
  const note =
    `This file is ${what}, which nothing here reads. Ask for it as text, PDF or a current Office ` +
    "format if its content is needed.";
  return { type: head.content_type, size_bytes: head.size_bytes, note };
}

/** The text of bytes that are text in another form. */
export async function decoded(
  bytes: Uint8Array,
  kind: "html" | "utf-16",
  signal: AbortSignal,
): Promise<string> {
  if (kind === "html")
    return (await inSlices(htmlToText(new TextDecoder().decode(bytes), "about:blank"), { signal }))
      .text;
  return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be")
    .decode(bytes)
    .toWellFormed()
    .replaceAll("\u0000", "\ufffd");
}

/** Of all the text of one document that code is given. */
const CODE_MAX_CHARACTERS = 8_000_000;

/**
 * A file's text for code that computes on it, by the names under which it finds it: a workbook's
 * sheets as CSV, the first one under the file's own path.
 * @throws ToolFailure for what is no text
 */
export async function readForCode(
  path: string,
  bytes: Uint8Array,
  reader: Reader,
): Promise<[name: string, text: string][]> {
  const kind = sniffKind(bytes.subarray(0, HEAD_BYTES), path);
  if (kind === "text" || kind === "html") return [[path, new TextDecoder().decode(bytes)]];
  if (kind === "utf-16") return [[path, await decoded(bytes, kind, reader.signal)]];
  if (!isDocument(kind))
    throw new ToolFailure(`${path} is no text (${kind}), so code cannot compute on it.`);
  const content = await readDocument({
    bytes,
    type: kind,
    addresses: false,
    maxCharacters: CODE_MAX_CHARACTERS,
    ...reader,
  });
  if (!content.ok) throw new ToolFailure(`${path} cannot be read. ${content.problem}`);
  if (content.next !== null)
    throw new ToolFailure(
      `${path} holds more than ${CODE_MAX_CHARACTERS} characters, which is the most that code is ` +
        "given.",
    );
  if (kind !== "xlsx") return [[path, content.sections.map(({ text }) => text).join("\n\n")]];
  const sheets = content.sheets.map(({ name }): [string, string] => [
    `${path}#${name}`,
    content.sections.flatMap(({ sheet, text }) => (sheet === name ? [text] : [])).join("\n"),
  ]);
  return [[path, sheets[0]?.[1] ?? ""], ...sheets];
}

async function readPages(
  files: FilesPort,
  type: DocumentType,
  request: ReadRequest,
  reader: Reader,
  head: FileHead,
): Promise<JsonObject> {
  const { path, offset, max_bytes, sheet, range } = request;
  const bytes = await files.readBytes(path, DOCUMENT_MAX_BYTES);
  const content = await readDocument({
    bytes,
    type,
    ...pagesOf(request.pages),
    ...(sheet !== undefined && { sheet }),
    ...(range !== undefined && { range }),
    addresses: true,
    maxCharacters: EXTRACTED_CHARACTERS,
    ...reader,
  });
  if (!content.ok) throw new ToolFailure(`${path} cannot be read. ${content.problem}`);
  const { sections, parts, sheets, next } = content;
  const text = textWithPlaces(sections);
  const isAsked = offset === 0 && request.pages === undefined;
  if (type === "pdf" && isAsked && next === null) {
    const whole = await asItIs({ path, bytes, text, pages: parts, head }, reader);
    if (whole !== null) return whole;
  }
  const page = cut(text, offset, max_bytes);
  const more = page.next_offset === null ? moreOf(type, parts, next) : null;
  return {
    type,
    ...(type === "pdf" && { pages: parts }),
    ...(type === "pptx" && { slides: parts }),
    ...(type === "xlsx" && { sheets }),
    ...page,
    size_bytes: bytes.length,
    ...(more !== null && { more }),
    ...(type === "pdf" &&
      text.replace(/\[page \d+\]/g, "").trim() === "" && {
        note: "These pages hold no text: they are pictures, as of a scan.",
      }),
  };
}

/** Of a PDF file that a model is given as it is: a longer one is read by its pages. */
const WHOLE_MAX_PAGES = 20;
const WHOLE_MAX_BYTES = 10 * 1024 * 1024;

/**
 * The note of a PDF file that is given to a model as it is, with its pictures and its layout. Null
 * where its text is read: a model that takes none, a long file, one without room in the prompt, and
 * one whose text holds a secret of the account, which only a text can be without.
 */
async function asItIs(
  {
    path,
    bytes,
    text,
    pages,
    head,
  }: {
    path: string;
    bytes: Uint8Array;
    text: string;
    pages: number;
    head: FileHead;
  },
  { takesPdf, outputMaxTokens = Number.POSITIVE_INFINITY, redact, signal }: Reader,
): Promise<JsonObject | null> {
  if (!takesPdf || pages < 1 || pages > WHOLE_MAX_PAGES || bytes.length > WHOLE_MAX_BYTES)
    return null;
  if (pages * PAGE_TOKENS > outputMaxTokens) return null;
  // What is shown later is the version of now, whose text was looked at.
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== head.sha256) return null;
  if (redact && (await inSlices(redact(text), { signal })) !== text) return null;
  return {
    type: "pdf",
    pages,
    size_bytes: bytes.length,
    document: { file_id: head.file_id, sha256, path, pages },
    note:
      "The document stands whole in the message that follows; a later run reads it anew. With " +
      "`pages` its text is read.",
  };
}

const PAGES_MAX_CHARACTERS = 100;

/** @throws ToolFailure for what is no span of pages */
function pagesOf(pages: string | undefined): { from?: number; to?: number } {
  if (pages === undefined) return {};
  const found = /^(\d{1,6})(?: ?(-) ?(\d{1,6})?)?$/.exec(
    pages.slice(0, PAGES_MAX_CHARACTERS).trim().replace(/\s+/g, " "),
  );
  const from = Number(found?.[1] ?? 0);
  const to = found?.[2] === undefined ? from : Number(found[3] ?? Number.MAX_SAFE_INTEGER);
  if (!found || from < 1 || to < from || (found[2] === undefined && found[3] !== undefined))
    throw new ToolFailure(`${JSON.stringify(pages)} names no pages. Write it like 3, 3-5 or 3-.`);
  return { from, to };
}

/** How the model reads on. */
function moreOf(
  type: DocumentType,
  parts: number,
  next: (DocumentContent & { ok: true })["next"],
): string | null {
  if (typeof next === "number")
    return (
      `There is more: ${type === "pptx" ? "slides" : "pages"} ${next} to ${parts}. Read on with ` +
      `pages "${next}-".`
    );
  const [, sheet, range] = /^sheet (.*)!([A-Z]+\d+:[A-Z]+\d+)$/s.exec(next ?? "") ?? [];
  return sheet === undefined
    ? null
    : `There is more. Read on with sheet ${JSON.stringify(sheet)} and range "${range}".`;
}

function cut(
  text: string,
  offset: number,
  maxCharacters: number,
): { text: string; truncated: boolean; next_offset: number | null } {
  const end = offset + maxCharacters;
  return {
    text: text.slice(offset, end).toWellFormed(),
    truncated: offset > 0 || end < text.length,
    next_offset: end < text.length ? end : null,
  };
}

/** The largest picture that a model is shown, as the vendors bound it. */
const IMAGE_MAX_BYTES = 5 * 1024 * 1024 - 1;
const IMAGE_MAX_PIXELS = 8_000;

function describeImage(
  path: string,
  head: FileHead,
  type: ImageType,
  { seesImages }: Reader,
): JsonObject {
  const size = imageSize(head.bytes, type);
  const described = {
    type,
    size_bytes: head.size_bytes,
    ...(size && { width: size.width, height: size.height }),
  };
  if (!seesImages)
    return {
      ...described,
      note:
        "This is a picture, and the run's model cannot see pictures. A model that can is named " +
        "by the agent's config.",
    };
  const problem = !size
    ? "its header is broken"
    : head.size_bytes > IMAGE_MAX_BYTES
      ? `it has more than ${IMAGE_MAX_BYTES} bytes`
      : Math.max(size.width, size.height) > IMAGE_MAX_PIXELS
        ? `it is more than ${IMAGE_MAX_PIXELS} pixels wide or high`
        : null;
  if (problem !== null)
    return { ...described, note: `This picture cannot be shown to you: ${problem}.` };
  return {
    ...described,
    image: { file_id: head.file_id, sha256: head.sha256, path },
    note: "The picture stands in the message that follows.",
  };
}
