import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { DOCUMENT_MAX_BYTES, readDocument } from "@/lib/runtime/documents/read-document";
import { HEAD_BYTES, isDocument, sniffKind } from "@/lib/runtime/documents/sniff-type";
import { decoded } from "@/lib/runtime/tools/read-file";

/** A version of a file of a workspace. */
export interface FileVersion {
  id: string;
  path: string;
  sizeBytes: number;
  storageKey: string;
}

interface TextPiece {
  reference: string;
  firstLine: number | null;
  text: string;
}

const TEXT_MAX_BYTES = 8 * 1024 * 1024;
/** Of one file; what stands behind it is not found. */
const INDEXED_MAX_CHARACTERS = 2_000_000;
const PIECE_CHARACTERS = 1_500;
const PIECES_AT_ONCE = 200;

/**
 * Takes the text of a file's version apart for searches, once; what has none, or none that can be read, is noted with the reason. A version that was
 * replaced or deleted meanwhile leaves nothing.
 * @throws the signal's reason, and what storage throws
 */
export async function indexFile(accountId: string, workspaceId: string, file: FileVersion, signal: AbortSignal): Promise<void> {
  const { pieces, problem } = await readPieces(accountId, file, signal);
  await transaction(async (tx) => {
    const current = await tx.query(
      "SELECT 1 FROM workspace_files WHERE id = $1 AND account_id = $2 AND workspace_id = $3 AND storage_key = $4 FOR SHARE",
      [file.id, accountId, workspaceId, file.storageKey],
    );
    if (current.rowCount === 0) return;
    await tx.query("DELETE FROM file_indexes WHERE file_id = $1 AND account_id = $2 AND storage_key <> $3", [
      file.id,
      accountId,
      file.storageKey,
    ]);
    // Another search may do the same at this moment.
    const { rowCount } = await tx.query(
      "INSERT INTO file_indexes (file_id, account_id, storage_key, problem) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      [file.id, accountId, file.storageKey, problem],
    );
    if (rowCount === 0) return;
    for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE)
      await insertPieces(tx, { accountId, workspaceId, fileId: file.id }, pieces.slice(at, at + PIECES_AT_ONCE), at);
  });
}

function insertPieces(
  tx: Transaction,
  { accountId, workspaceId, fileId }: { accountId: string; workspaceId: string; fileId: string },
  pieces: TextPiece[],
  from: number,
) {
  return tx.query(
    `INSERT INTO file_texts (file_id, position, account_id, reference, first_line, text, words)
     SELECT $1, $4 + p.at - 1, $2, p.reference, p.first_line, p.text,
       to_tsvector('simple', p.text) || to_tsvector('english', p.text) || array_to_tsvector(ARRAY['workspace:' || $3::text])
     FROM unnest($5::text[], $6::int[], $7::text[]) WITH ORDINALITY AS p (reference, first_line, text, at)`,
    [
      fileId,
      accountId,
      workspaceId,
      from,
      pieces.map(({ reference }) => reference),
      pieces.map(({ firstLine }) => firstLine),
      pieces.map(({ text }) => text),
    ],
  );
}

async function readPieces(
  accountId: string,
  file: FileVersion,
  signal: AbortSignal,
): Promise<{ pieces: TextPiece[]; problem: string | null }> {
  const none = (problem: string) => ({ pieces: [], problem });
  if (file.sizeBytes === 0) return { pieces: [], problem: null };
  const head = await readBytes(file, { start: 0, end: Math.min(HEAD_BYTES, file.sizeBytes) - 1 });
  const kind = sniffKind(head, file.path);
  if (isDocument(kind)) {
    if (file.sizeBytes > DOCUMENT_MAX_BYTES) return none("too large");
    const bytes = await readBytes(file);
    const content = await readDocument({ bytes, type: kind, addresses: true, maxCharacters: INDEXED_MAX_CHARACTERS, accountId, signal });
    if (!content.ok) return none(content.problem);
    const pieces = content.sections.flatMap(({ reference, text }) =>
      kind === "docx" ? piecesOfLines(text).map((piece) => ({ ...piece, reference: "", firstLine: null })) : piecesOf(reference, text),
    );
    return { pieces, problem: content.next === null ? null : "only its beginning" };
  }
  if (kind !== "text" && kind !== "html" && kind !== "utf-16") return none("no text");
  if (file.sizeBytes > TEXT_MAX_BYTES) return none("too large");
  const bytes = await readBytes(file);
  if (kind === "html") return { pieces: piecesOf("", await decoded(bytes, kind, signal)), problem: null };
  const text = kind === "text" ? new TextDecoder().decode(bytes).replaceAll("\u0000", "\ufffd") : await decoded(bytes, kind, signal);
  const isCut = text.length > INDEXED_MAX_CHARACTERS;
  return { pieces: piecesOfLines(text.slice(0, INDEXED_MAX_CHARACTERS).toWellFormed()), problem: isCut ? "only its beginning" : null };
}

async function readBytes(file: FileVersion, range?: { start: number; end: number }): Promise<Uint8Array> {
  return new Uint8Array(await new Response(await fileStore().read(file.storageKey, range)).arrayBuffer());
}

/** Pieces of a part that has a name: all bear it. */
function piecesOf(reference: string, text: string): TextPiece[] {
  return piecesOfLines(text.slice(0, INDEXED_MAX_CHARACTERS).toWellFormed()).map((piece) => ({ ...piece, reference, firstLine: null }));
}

/** Whole lines as far as they go; a line that is longer than a piece is cut. */
function piecesOfLines(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    const lastBreak = end < text.length ? text.lastIndexOf("\n", end) : -1;
    if (lastBreak > start) end = lastBreak + 1;
    const piece = text.slice(start, end);
    if (piece.trim() !== "") pieces.push({ reference: "", firstLine: line, text: piece.toWellFormed() });
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) line += 1;
    start = end;
  }
  return pieces;
}
