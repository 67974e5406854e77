import "server-only";
import type { Job } from "./read-job";
import type { ListedFile } from "./run-state";
import { keywordsOf } from "./words";

export interface PickedFiles {
  tables: string[];
  texts: string[];
  /** Whether someone named them, in which case no other may stand in. */
  named: boolean;
  /** Names in the request that look like files and are not there. */
  missing: string[];
}

const TABLE_NAME = /\.(?:csv|tsv|json|jsonl|ndjson|geojson)$/i;
const TEXT_NAME = /\.(?:md|markdown|txt|text|log|rst|adoc|html?|xml|ya?ml|toml|ini|tex|srt|vtt|eml|js|ts|py|sql)$/i;
const TABLE_MAX_BYTES = 14 * 1024 * 1024;
const TABLES_MAX = 4;
const TABLES_MAX_BYTES = 15 * 1024 * 1024;

/** The files that a job is about: those that it names, else all that it could be about, likeliest first. */
export function pickFiles(job: Job, files: readonly ListedFile[]): PickedFiles {
  const spoken = [job.request, ...[...job.earlier].reverse(), `${job.purpose}\n${job.steps.join("\n")}`];
  for (const [index, text] of spoken.entries()) {
    const named = files.filter((file) => isNamed(file.path, text));
    if (named.length > 0) return { ...sortKinds(named, job), named: true, missing: [] };
    const missing = index === 0 ? fileNamesIn(text) : [];
    if (missing.length > 0) return { tables: [], texts: [], named: true, missing };
  }
  return { ...sortKinds(files, job), named: false, missing: [] };
}

function isNamed(path: string, text: string): boolean {
  const lower = text.toLowerCase();
  const base = (path.split("/").pop() ?? path).toLowerCase();
  if (lower.includes(path.toLowerCase()) || holdsName(lower, base)) return true;
  const bare = base.replace(/\.[a-z0-9]+$/, "");
  // `the cars file`, `seattle weather data`: the name without its ending.
  return (
    bare.length > 3 &&
    new RegExp(`(?:^|[^\\p{L}\\p{N}])${escapePattern(bare).replace(/[-_ ]+/g, "[-_ ]")}(?:$|[^\\p{L}\\p{N}])`, "u").test(lower) &&
    /[-_ ]|file|data/.test(`${bare} ${lower}`)
  );
}

function holdsName(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  const before = text[at - 1] ?? " ";
  return !/[\p{L}\p{N}_-]/u.test(before);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function fileNamesIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_./-]{1,200}\.(?:csv|tsv|json|jsonl|ndjson|md|txt|log|html|xlsx|pdf|docx)\b/giu) ?? [];
}

function sortKinds(files: readonly ListedFile[], job: Job): { tables: string[]; texts: string[] } {
  const wanted = new Set(keywordsOf([job.request, job.purpose, ...job.steps, ...job.earlier].join(" ")));
  const scoreOf = (path: string) => keywordsOf(path.replace(/[-_./]/g, " ")).filter((word) => wanted.has(word)).length;
  const ranked = [...files].sort((a, b) => scoreOf(b.path) - scoreOf(a.path));
  let left = TABLES_MAX_BYTES;
  const tables = ranked.filter(({ path, size_bytes, content_type }) => {
    const isTable = TABLE_NAME.test(path) || /csv|tab-separated|json/.test(content_type);
    if (!isTable || size_bytes > TABLE_MAX_BYTES || size_bytes > left) return false;
    left -= size_bytes;
    return true;
  });
  const texts = ranked.filter(
    ({ path, content_type }) => !tables.some((table) => table.path === path) && (TEXT_NAME.test(path) || content_type.startsWith("text/")),
  );
  return { tables: tables.slice(0, TABLES_MAX).map(({ path }) => path), texts: texts.map(({ path }) => path) };
}
