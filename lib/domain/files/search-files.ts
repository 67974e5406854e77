import "server-only";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { inTransaction, postgres, type Transaction, transaction } from "@/lib/platform/postgres";
import { KeyedLimit } from "@/lib/platform/wakeable";
import { DOCUMENT_MAX_BYTES, readDocument } from "@/lib/runtime/documents/read-document";
import { HEAD_BYTES, isDocument, sniffKind } from "@/lib/runtime/documents/sniff-type";
import { decoded } from "@/lib/runtime/tools/read-file";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { SearchHit } from "@/lib/runtime/tools/tool-ports";
import { definePart } from "@/lib/service";

const HITS_MAX = 50;
const SNIPPET_MAX_CHARACTERS = 300;
/** What one search takes apart that no search before it has; the next one goes on there. */
const INDEXED_AT_ONCE_MAX = 200;
const INDEXED_AT_ONCE_MAX_BYTES = 64 * 1024 * 1024;
const INDEXING_MAX_MS = 20_000;
/**
 * Searches of one account, and of all of them, that are on a connection at once in this process.
 */
const OF_ACCOUNT_AT_ONCE = 2;
const AT_ONCE = 5;
/** A search that has not ended by then is given up by the server. */
const SEARCH_MAX_MS = 5_000;
const QUERY_CANCELED = "57014";
// Marks around the words that were found; no text of ours holds them beside NUL's neighbours in
// broken files, where a mark too many does no harm.
const FOUND = "\u0001";
const FOUND_END = "\u0002";

/**
 * Full-text search over the files of a workspace whose path starts with `prefix`: words as they are
 * written and by their English stems, pieces that hold all of them first. A query may hold
 * "phrases", `or` and `-without`. Files that no search has seen yet are taken apart first, so far
 * as time allows.
 * @returns the best hits, and the paths of the files that were searched as a whole
 */
export async function searchWorkspace(
  { accountId, workspaceId }: { accountId: string; workspaceId: string },
  query: string,
  prefix: string,
  signal: AbortSignal,
): Promise<{ hits: SearchHit[]; searched: Set<string> }> {
  const scope = [accountId, workspaceId, `${prefix.replace(/[\\%_]/g, "\\$&")}%`] as const;
  await indexMissing({ accountId, workspaceId }, scope, signal);
  const known = await postgres().query<{ path: string }>({
    name: "list-indexed-files",
    text: `SELECT f.path FROM workspace_files f JOIN file_indexes i ON i.file_id = f.id
             AND i.storage_key = f.storage_key AND i.problem IS NULL
           WHERE f.account_id = $1 AND f.workspace_id = $2 AND f.path LIKE $3 AND i.account_id = $1
           ORDER BY f.path LIMIT 1000`,
    values: [...scope],
  });
  return {
    hits: await inTurn(accountId, signal, () => findHits(scope, query)),
    searched: new Set(known.rows.map(({ path }) => path)),
  };
}

const ownSearches = definePart("file-searches.account", () => new KeyedLimit(OF_ACCOUNT_AT_ONCE));
const allSearches = definePart("file-searches", () => new KeyedLimit(AT_ONCE));

/**
 * A search reads for as long as its words are many: few of them hold a connection at once, and
 * fewer of one account, so that searches leave the pool to everybody else.
 */
function inTurn<T>(accountId: string, signal: AbortSignal, search: () => Promise<T>): Promise<T> {
  return ownSearches().run(accountId, () =>
    allSearches().run("all", () => {
      signal.throwIfAborted();
      return search();
    }),
  );
}

/** @throws ToolFailure when it takes too long */
async function findHits(
  scope: readonly [string, string, string],
  query: string,
): Promise<SearchHit[]> {
  const clean = query.replaceAll("\u0000", " ").toWellFormed();
  const read = await postgres().query<{ all_words: string; any_words: string; own_words: string }>({
    name: "read-search-query",
    text: READ_QUERY,
    values: [clean, /(?:^|\s)-\S|"/.test(query), scope[1]],
  });
  const [words] = read.rows;
  if (!words) return [];
  const values = [...scope, words.all_words, words.any_words, words.own_words];
  try {
    const { rows } = await inTransaction(
      postgres(),
      (tx) => tx.query<HitRow>(SEARCH, values),
      `BEGIN READ ONLY; SET LOCAL statement_timeout = ${SEARCH_MAX_MS}`,
    );
    return rows.map(toHit);
  } catch (error) {
    if ((error as { code?: unknown }).code !== QUERY_CANCELED) throw error; // pg's errors have one
    throw new ToolFailure(
      "The search took too long. Search for rarer words, or under a narrower path.",
    );
  }
}

async function indexMissing(
  { accountId, workspaceId }: { accountId: string; workspaceId: string },
  scope: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await postgres().query<Omit<FileVersion, "sizeBytes"> & { sizeBytes: string }>({
    name: "list-unindexed-files",
    text: `SELECT f.id, f.path, f.size_bytes AS "sizeBytes", f.storage_key AS "storageKey"
           FROM workspace_files f
           WHERE f.account_id = $1 AND f.workspace_id = $2 AND f.path LIKE $3
             AND NOT EXISTS (SELECT 1 FROM file_indexes i WHERE i.file_id = f.id
                 AND i.account_id = f.account_id AND i.storage_key = f.storage_key)
           ORDER BY f.path LIMIT ${INDEXED_AT_ONCE_MAX}`,
    values: [...scope],
  });
  const end = performance.now() + INDEXING_MAX_MS;
  let bytes = 0;
  for (const row of rows) {
    signal.throwIfAborted();
    if (performance.now() > end || bytes > INDEXED_AT_ONCE_MAX_BYTES) return;
    bytes += Number(row.sizeBytes);
    await indexFile(accountId, workspaceId, { ...row, sizeBytes: Number(row.sizeBytes) }, signal);
  }
}

interface HitRow {
  path: string;
  reference: string;
  first_line: number | null;
  text: string;
  rank: number;
}

// A query with phrases or exclusions is taken at its word; any other finds pieces that hold some of
// its words too, after those that hold all. The workspace's id is a word of its pieces, so that
// other workspaces' texts are never even looked at.
const READ_QUERY = `
WITH asked AS (
  SELECT websearch_to_tsquery('simple', $1) || websearch_to_tsquery('english', $1) AS all_words,
    replace(plainto_tsquery('simple', $1)::text, ' & ', ' | ')::tsquery AS written,
    replace(plainto_tsquery('english', $1)::text, ' & ', ' | ')::tsquery AS stems
), query AS (
  SELECT all_words, CASE WHEN $2 THEN all_words WHEN numnode(stems) = 0 THEN written
    ELSE all_words || stems END AS any_words FROM asked
)
SELECT all_words::text, any_words::text,
  (any_words && quote_literal('workspace:' || $3)::tsquery)::text AS own_words
FROM query WHERE numnode(any_words) > 0`;

// Planned anew each time, for the words at hand: how rare they are decides what is read. The pieces
// come first, by their words alone, or all pieces of the account may be read.
const SEARCH = `
WITH pieces AS MATERIALIZED (
  SELECT file_id, account_id, position, reference, first_line, text,
    ((words @@ $4::tsquery)::int + ts_rank(words, $5::tsquery, 1))::float8 AS rank
  FROM file_texts WHERE words @@ $6::tsquery
), hits AS (
  SELECT f.path, p.* FROM pieces p JOIN file_indexes i ON i.file_id = p.file_id
    JOIN workspace_files f ON f.id = i.file_id AND f.storage_key = i.storage_key
  WHERE p.account_id = $1 AND i.account_id = $1 AND f.account_id = $1 AND f.workspace_id = $2
    AND f.path LIKE $3
  ORDER BY p.rank DESC, f.path, p.position LIMIT ${HITS_MAX}
)
SELECT path, reference, first_line, rank,
  ts_headline('english', text, $5::tsquery,
    'HighlightAll=true, StartSel="${FOUND}", StopSel="${FOUND_END}"') AS text
FROM hits ORDER BY rank DESC, path, position`;

/** The line of the piece that holds most of what was found. */
function toHit({ path, reference, first_line, text, rank }: HitRow): SearchHit {
  const lines = text.split("\n");
  const marks = lines.map((line) => line.split(FOUND).length);
  const best = marks.indexOf(Math.max(...marks));
  const shown = aroundMark(lines[best] ?? "");
  return {
    path,
    ...(reference !== "" && { reference }),
    ...(first_line !== null && { line: first_line + best }),
    text: shown,
    rank: Math.round(rank * 10_000) / 10_000,
  };
}

/** A line as it is, or of a long one what stands around the first word that was found. */
function aroundMark(line: string): string {
  const from = Math.max(0, line.indexOf(FOUND) - SNIPPET_MAX_CHARACTERS / 3);
  const plain = (text: string) => text.replaceAll(FOUND, "").replaceAll(FOUND_END, "");
  if (plain(line).length <= SNIPPET_MAX_CHARACTERS) return plain(line).trim();
  return plain(line.slice(from)).slice(0, SNIPPET_MAX_CHARACTERS).toWellFormed().trim();
}

/** A version of a file of a workspace. */
interface FileVersion {
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
 * Takes the text of a file's version apart for searches, once; what has none, or none that can be
 * read, is noted with the reason. A version that was replaced or deleted meanwhile leaves nothing.
 * @throws the signal's reason, and what storage throws
 */
async function indexFile(
  accountId: string,
  workspaceId: string,
  file: FileVersion,
  signal: AbortSignal,
): Promise<void> {
  const { pieces, problem } = await readPieces(accountId, file, signal);
  await transaction(async (tx) => {
    const current = await tx.query(
      `SELECT 1 FROM workspace_files WHERE id = $1 AND account_id = $2 AND workspace_id = $3
         AND storage_key = $4 FOR SHARE`,
      [file.id, accountId, workspaceId, file.storageKey],
    );
    if (current.rowCount === 0) return;
    await tx.query(
      "DELETE FROM file_indexes WHERE file_id = $1 AND account_id = $2 AND storage_key <> $3",
      [file.id, accountId, file.storageKey],
    );
    // Another search may do the same at this moment.
    const { rowCount } = await tx.query(
      `INSERT INTO file_indexes (file_id, account_id, storage_key, problem) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [file.id, accountId, file.storageKey, problem],
    );
    if (rowCount === 0) return;
    for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE)
      await insertPieces(
        tx,
        { accountId, workspaceId, fileId: file.id },
        pieces.slice(at, at + PIECES_AT_ONCE),
        at,
      );
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
       to_tsvector('simple', p.text) || to_tsvector('english',
         p.text) || array_to_tsvector(ARRAY['workspace:' || $3::text])
     FROM unnest($5::text[], $6::int[], $7::text[]) WITH ORDINALITY AS p (reference, first_line,
       text, at)`,
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
    const content = await readDocument({
      bytes,
      type: kind,
      addresses: true,
      maxCharacters: INDEXED_MAX_CHARACTERS,
      accountId,
      signal,
    });
    if (!content.ok) return none(content.problem);
    const pieces = content.sections.flatMap(({ reference, text }) =>
      kind === "docx"
        ? piecesOfLines(text).map((piece) => ({ ...piece, reference: "", firstLine: null }))
        : piecesOf(reference, text),
    );
    return { pieces, problem: content.next === null ? null : "only its beginning" };
  }
  if (kind !== "text" && kind !== "html" && kind !== "utf-16") return none("no text");
  if (file.sizeBytes > TEXT_MAX_BYTES) return none("too large");
  const bytes = await readBytes(file);
  if (kind === "html")
    return { pieces: piecesOf("", await decoded(bytes, kind, signal)), problem: null };
  const text =
    kind === "text"
      ? new TextDecoder().decode(bytes).replaceAll("\u0000", "\ufffd")
      : await decoded(bytes, kind, signal);
  const isCut = text.length > INDEXED_MAX_CHARACTERS;
  return {
    pieces: piecesOfLines(text.slice(0, INDEXED_MAX_CHARACTERS).toWellFormed()),
    problem: isCut ? "only its beginning" : null,
  };
}

async function readBytes(
  file: FileVersion,
  range?: { start: number; end: number },
): Promise<Uint8Array> {
  return new Uint8Array(
    await new Response(await fileStore().read(file.storageKey, range)).arrayBuffer(),
  );
}

/** Pieces of a part that has a name: all bear it. */
function piecesOf(reference: string, text: string): TextPiece[] {
  return piecesOfLines(text.slice(0, INDEXED_MAX_CHARACTERS).toWellFormed()).map((piece) => ({
    ...piece,
    reference,
    firstLine: null,
  }));
}

/** Whole lines as far as they go; a line that is longer than a piece is cut. */
function piecesOfLines(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let line = 1;
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + PIECE_CHARACTERS);
    const lastBreak = text.lastIndexOf("\n", end);
    if (end < text.length && lastBreak > start) end = lastBreak + 1;
    const piece = text.slice(start, end);
    if (piece.trim() !== "")
      pieces.push({ reference: "", firstLine: line, text: piece.toWellFormed() });
    for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) line += 1;
    start = end;
  }
  return pieces;
}
