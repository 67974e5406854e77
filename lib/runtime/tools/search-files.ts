import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { WorkspacePort } from "./workspace-port";

const FILES_MAX = 100;
const FILE_MAX_BYTES = 1024 * 1024;
const ALL_MAX_BYTES = 8 * 1024 * 1024;
const MATCHES_MAX = 50;
const LINE_MAX_CHARACTERS = 300;
const BINARY_TYPE = /^(?:image|audio|video|font)\/(?!svg)|zip|pdf|octet-stream|parquet|arrow/;

interface Match {
  path: string;
  line: number;
  text: string;
  words: number;
}

/** The lines that hold most of the query's words, best first. Says which files it left out. */
export async function searchFiles(
  workspace: WorkspacePort,
  query: string,
  prefix: string | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 20);
  const matches: Match[] = [];
  const skipped: string[] = [];
  let left = ALL_MAX_BYTES;
  for (const [index, file] of (await workspace.list(prefix)).entries()) {
    signal.throwIfAborted();
    const isReadable = index < FILES_MAX && !BINARY_TYPE.test(file.content_type) && file.size_bytes <= Math.min(FILE_MAX_BYTES, left);
    if (!isReadable) {
      skipped.push(file.path);
      continue;
    }
    const text = new TextDecoder().decode(await workspace.readBytes(file.path, FILE_MAX_BYTES));
    left -= file.size_bytes;
    matches.push(...matchLines(file.path, text, words));
  }
  const best = matches.sort((a, b) => b.words - a.words).slice(0, MATCHES_MAX);
  const shown = best.map(({ path, line, text }) => ({ path, line, text }));
  return { matches: shown, found: matches.length, ...(skipped.length > 0 ? { not_searched: skipped.slice(0, 50) } : {}) };
}

function matchLines(path: string, text: string, words: string[]): Match[] {
  const found: Match[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const lower = line.toLowerCase();
    const hits = words.filter((word) => lower.includes(word)).length;
    if (hits > 0) found.push({ path, line: index + 1, text: line.trim().slice(0, LINE_MAX_CHARACTERS), words: hits });
  }
  return found.sort((a, b) => b.words - a.words).slice(0, MATCHES_MAX);
}
