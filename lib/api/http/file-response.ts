import "server-only";
import type { ApiRequest } from "@/lib/api/http/request";
import { NO_PAGE_POLICY } from "@/lib/api/http/security-headers";
import { ServiceError } from "@/lib/model/errors";

export interface ServedFile {
  name: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  open(range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Sends a user's file so that no browser runs it: as an attachment, sandboxed, never sniffed. One
 * byte range is honoured, `If-None-Match`, `If-Range` too.
 * @throws ServiceError RANGE_NOT_SATISFIABLE
 */
export async function fileResponse(request: ApiRequest, file: ServedFile): Promise<Response> {
  const etag = `"${file.sha256}"`;
  const headers: Record<string, string> = {
    "content-type": safeType(file.contentType),
    "content-disposition": attachment(file.name),
    "x-content-type-options": "nosniff",
    "content-security-policy": NO_PAGE_POLICY,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    etag,
  };
  if (namesTag(request.headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const ifRange = request.headers.get("if-range");
  const range =
    ifRange === null || ifRange === etag
      ? readRange(request.headers.get("range"), file.sizeBytes)
      : null;
  const body = request.method === "HEAD" ? null : await file.open(range ?? undefined);
  if (!range)
    return new Response(body, {
      status: 200,
      headers: { ...headers, "content-length": String(file.sizeBytes) },
    });
  return new Response(body, {
    status: 206,
    headers: {
      ...headers,
      "content-range": `bytes ${range.start}-${range.end}/${file.sizeBytes}`,
      "content-length": String(range.end - range.start + 1),
    },
  });
}

/** Whether `If-None-Match` names this tag, weakly or not, or any. */
function namesTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(",").some((part) => {
    const tag = part.trim();
    return tag === "*" || tag === etag || tag === `W/${etag}`;
  });
}

/**
 * The one range asked for; null for none, for several or for another unit (RFC 9110 lets a server
 * ignore those).
 */
function readRange(header: string | null, size: number): { start: number; end: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const [first, last] = [match[1] ?? "", match[2] ?? ""];
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  if (start >= size || end < start) {
    throw new ServiceError(
      "RANGE_NOT_SATISFIABLE",
      `The file has ${size} bytes.`,
      {},
      { "Content-Range": `bytes */${size}` },
    );
  }
  return { start, end };
}

function safeType(type: string): string {
  return /^[\w.+-]+\/[\w.+-]+(; *charset=[\w-]+)?$/.test(type) ? type : "application/octet-stream";
}

function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, "_");
  return (
    `attachment; filename="${plain}"; ` +
    "filename*=UTF-8''" +
    encodeURIComponent(name).replace(
      /['()*]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  );
}
