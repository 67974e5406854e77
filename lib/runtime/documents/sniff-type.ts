import "server-only";

/** Kinds of files, as far as reading them goes. */
export type FileKind =
  | "text"
  | "html"
  | "utf-16"
  | DocumentType
  | ImageType
  | "zip"
  | "ole"
  | "binary";
export type DocumentType = "pdf" | "docx" | "xlsx" | "pptx";
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** So many first bytes of a file decide. */
export const HEAD_BYTES = 16_384;

const ZIP_KINDS: [marker: string, kind: DocumentType][] = [
  ["word/document.xml", "docx"],
  ["xl/workbook.xml", "xlsx"],
  ["ppt/presentation.xml", "pptx"],
];
const OF_ENDING: Record<string, DocumentType> = {
  docx: "docx",
  docm: "docx",
  dotx: "docx",
  xlsx: "xlsx",
  xlsm: "xlsx",
  xltx: "xlsx",
  pptx: "pptx",
  pptm: "pptx",
  ppsx: "pptx",
};

/** What a file is by its first bytes; its name decides only where those leave it open. */
export function sniffKind(head: Uint8Array, path: string): FileKind {
  const ending = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  const latin = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString("latin1");
  if (latin.slice(0, 1_024).includes("%PDF-")) return "pdf";
  if (latin.startsWith("PK\u0003\u0004"))
    return OF_ENDING[ending] ?? ZIP_KINDS.find(([marker]) => latin.includes(marker))?.[1] ?? "zip";
  if (latin.startsWith("\u00d0\u00cf\u0011\u00e0")) return "ole";
  const image = imageType(latin);
  if (image) return image;
  if (latin.startsWith("\u00ff\u00fe") || latin.startsWith("\u00fe\u00ff")) return "utf-16";
  if (isBinary(head)) return "binary";
  return ending === "html" || ending === "htm" || ending === "xhtml" ? "html" : "text";
}

export function isImage(kind: FileKind): kind is ImageType {
  return kind.startsWith("image/");
}

export function isDocument(kind: FileKind): kind is DocumentType {
  return kind === "pdf" || kind === "docx" || kind === "xlsx" || kind === "pptx";
}

function imageType(latin: string): ImageType | null {
  if (latin.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (latin.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(latin)) return "image/gif";
  return latin.startsWith("RIFF") && latin.slice(8, 12) === "WEBP" ? "image/webp" : null;
}

const CONTROL_SHARE = 0.05;

/** NUL, or many control characters: no text of any encoding that has one byte for a letter. */
function isBinary(head: Uint8Array): boolean {
  let controls = 0;
  for (const byte of head) {
    if (byte === 0) return true;
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)
      controls += 1;
  }
  return controls > head.length * CONTROL_SHARE;
}

/** Width and height in pixels, by the image's header; null where it is broken. */
export function imageSize(
  head: Uint8Array,
  type: ImageType,
): { width: number; height: number } | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    if (type === "image/png") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (type === "image/gif")
      return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    return type === "image/jpeg" ? jpegSize(view) : webpSize(view);
  } catch {
    // A RangeError: it ends before its header does.
    return null;
  }
}

/**
 * In the first segment that begins a frame; pictures within the picture stand in segments that are
 * passed over.
 */
function jpegSize(view: DataView): { width: number; height: number } | null {
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return null;
}

function webpSize(view: DataView): { width: number; height: number } | null {
  const chunk = String.fromCharCode(
    view.getUint8(12),
    view.getUint8(13),
    view.getUint8(14),
    view.getUint8(15),
  );
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  if (chunk === "VP8X") return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (chunk === "VP8 ")
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== "VP8L") return null;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
