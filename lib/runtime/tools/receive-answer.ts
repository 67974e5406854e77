import "server-only";
import mime from "mime-types";
import { shownRunPath } from "@/lib/model/run/run-file-path";
import { HEAD_BYTES, sniffKind } from "@/lib/runtime/documents/sniff-type";
import { decodeAnswer } from "@/lib/runtime/tools/read-answer";
import type { ToolContext } from "@/lib/runtime/tools/tool";
import type { SavedFile } from "@/lib/runtime/tools/tool-ports";

/** Whether the first bytes of an answer are the beginning of a text. */
export function isTextAnswer(head: Uint8Array, contentType: string): boolean {
  const kind = sniffKind(head.subarray(0, HEAD_BYTES), "");
  if (kind === "text" || kind === "html" || kind === "utf-16") return true;
  return (
    kind === "binary" &&
    !/^(?:image|audio|video|font)\/(?!svg)|octet-stream/i.test(contentType) &&
    decodeAnswer(head, contentType) !== null
  );
}

/** The charset that an answer's media type names, where it is one that is known; else UTF-8. */
export function charsetOf(contentType: string): string {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return "utf-8";
  }
}

const SNIFFED_TYPES: Record<string, string> = {
  pdf: "application/pdf",
  zip: "application/zip",
  docx: mime.lookup("docx") || "",
  xlsx: mime.lookup("xlsx") || "",
  pptx: mime.lookup("pptx") || "",
};

/**
 * Stores what a connector has sent as a file of the run, under a name of ours: that of the tool and
 * its call, with the ending of what it is.
 * @param head the first bytes, which tell more than the server's word
 * @throws ToolFailure when the run's space is used up, or the connection breaks off
 */
export async function receiveFile(
  toolName: string,
  {
    head,
    bytes,
    contentType,
    name = "",
  }: { head: Uint8Array; bytes: AsyncIterable<Uint8Array>; contentType: string; name?: string },
  { files, toolCallId }: Pick<ToolContext, "files" | "toolCallId">,
): Promise<SavedFile & { media_type: string }> {
  const isText = isTextAnswer(head, contentType);
  const said = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const kind = sniffKind(head.subarray(0, HEAD_BYTES), "");
  const sniffed = kind.startsWith("image/") ? kind : SNIFFED_TYPES[kind];
  const type = sniffed || said || (isText ? "text/plain" : "application/octet-stream");
  const ending = mime.extension(type) || (isText ? "txt" : "bin");
  const call = toolCallId.replace(/[^\w-]/g, "").slice(-60);
  const path = shownRunPath(`downloads/${toolName}-${call}${name}.${ending}`);
  const saved = await files.receive(path, bytes, {
    type,
    charset: isText ? charsetOf(contentType) : null,
  });
  return { ...saved, media_type: type };
}
