import "server-only";
import { z } from "zod";
import { pathInRun } from "@/lib/model/run/run-file-path";
import { keywordsOf } from "./language";
import type { OfflineCall, Outcome, Steps } from "./prompt";
import type { Source } from "./read-texts";
import { profileCode, queryCode } from "./table-code";
import {
  answersSchema,
  type InlineTables,
  profilesSchema,
  type TableAnswer,
  type TableProfile,
  type TableQuery,
} from "./table-query";

const TABLE_NAME = /\.(?:csv|tsv|json|jsonl|ndjson|geojson|xlsx)$/i;
const TEXT_NAME =
  /\.(?:md|markdown|txt|text|log|rst|adoc|html?|xml|ya?ml|toml|ini|tex|srt|vtt|eml|js|ts|py|sql|pdf|docx|pptx)$/i;
const FILE_NAME =
  /[\p{L}\p{N}_][\p{L}\p{N}_./-]{0,200}\.(?:csv|tsv|jsonl?|ndjson|geojson|md|txt|log|html|xlsx?|pdf|docx?|pptx?|parquet|png|jpe?g)\b/giu;
const TABLES_MAX = 4;
const TABLES_MAX_BYTES = 15 * 1024 * 1024;
const TEXTS_MAX = 4;
const PAGES_MAX = 8;
const PAGE_BYTES = 32_768;

const listing = z.object({
  files: z.array(z.object({ path: z.string(), size_bytes: z.number(), content_type: z.string() })),
});
const page = z.object({
  text: z.string(),
  next_offset: z.number().nullable(),
  more: z.string().optional(),
});
const search = z.object({ matches: z.array(z.object({ path: z.string() })) });
const computed = z.object({ result: z.json() });

/** The files that a run is about. */
export interface Files {
  all: string[];
  tables: string[];
  texts: string[];
  /** Named by someone: no other file may stand in for them. */
  isNamed: boolean;
  /** Named, and not there or not to be read. */
  absent: string[];
}

/** Those that somebody names, the request before the skill; else all. */
export function pickFiles(listed: Outcome | undefined, spoken: readonly string[]): Files {
  const found = listing.safeParse(listed?.output).data?.files ?? [];
  // The run's own are what it made itself.
  const files = found.filter(({ path }) => pathInRun(path) === null);
  const all = files.map(({ path }) => path);
  for (const text of spoken) {
    const said = text.match(FILE_NAME) ?? [];
    const named = files.filter(({ path }) => isNamed(path, text));
    const absent = said.filter(
      (name) =>
        !named.some(
          ({ path }) =>
            path === name ||
            path.endsWith(`/${name}`) ||
            path.split("/").pop() === name.split("/").pop(),
        ),
    );
    if (named.length > 0 || absent.length > 0)
      return { ...sortFiles(named, absent), all, isNamed: true };
  }
  return { ...sortFiles(files, []), all, isNamed: false };
}

/**
 * By its path, its last part, or that without its ending: `the stock prices` for
 * `stock-prices.csv`.
 */
function isNamed(path: string, text: string): boolean {
  const lower = text.toLowerCase();
  const base = (path.split("/").pop() ?? path).toLowerCase();
  const bare = base.replace(/\.[a-z0-9]+$/, "").replace(/[-_ ]+/g, " ");
  const holds = (name: string) => holdsName(lower, name);
  return (
    holds(path.toLowerCase()) ||
    holds(base) ||
    (bare.length > 3 && holds(`${bare} file`)) ||
    (bare.includes(" ") && holds(bare))
  );
}

/** Whether a text has a name in it that is no part of a longer one. */
function holdsName(text: string, name: string): boolean {
  const isPart = (sign: string) => /[\p{L}\p{N}_-]/u.test(sign);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (!isPart(before) && !isPart(after)) return true;
  }
  return false;
}

function sortFiles(
  files: readonly { path: string; size_bytes: number; content_type: string }[],
  absent: string[],
) {
  let left = TABLES_MAX_BYTES;
  const isTable = (file: { path: string; content_type: string }) =>
    TABLE_NAME.test(file.path) || /csv|tab-separated|json/.test(file.content_type);
  const tables = files.filter((file) => {
    if (!isTable(file) || file.size_bytes > left) return false;
    left -= file.size_bytes;
    return true;
  });
  const texts = files.filter(
    (file) =>
      !isTable(file) && (TEXT_NAME.test(file.path) || file.content_type.startsWith("text/")),
  );
  const unread = files.filter((file) => !tables.includes(file) && !texts.includes(file));
  return {
    tables: tables.slice(0, TABLES_MAX).map(({ path }) => path),
    texts: texts.map(({ path }) => path),
    absent: [...absent, ...(files.length < 3 ? unread.map(({ path }) => path) : [])],
  };
}

/** What the tables hold; `problems` says which could not be read. */
export function* profileTables(
  paths: readonly string[],
  phrases: readonly string[],
  inline: InlineTables,
): Steps<{ tables: TableProfile[]; problems: string[] }> {
  const all = [...Object.keys(inline), ...paths];
  const [outcome] = yield [
    {
      name: "run_javascript",
      input: { code: profileCode(all, phrases, inline), files: [...paths] },
    },
  ];
  const profiles = profilesSchema.safeParse(computed.safeParse(outcome?.output).data?.result).data
    ?.tables;
  if (!profiles) return { tables: [], problems: [outcome?.error ?? "no result"] };
  return {
    tables: profiles.flatMap((table) => ("error" in table ? [] : [table])),
    problems: profiles.flatMap((table) =>
      "error" in table ? [`\`${table.path}\`: ${table.error}`] : [],
    ),
  };
}

/** The answers to queries on one table, or what went wrong. */
export function* queryTable(
  path: string,
  queries: readonly TableQuery[],
  inline: InlineTables,
): Steps<TableAnswer[] | string> {
  const isFile = !Object.hasOwn(inline, path);
  const [outcome] = yield [
    {
      name: "run_javascript",
      input: { code: queryCode(path, queries, isFile ? {} : inline), files: isFile ? [path] : [] },
    },
  ];
  const answers = answersSchema.safeParse(computed.safeParse(outcome?.output).data?.result).data
    ?.answers;
  return answers ?? outcome?.error ?? "no result";
}

/** The value of an expression, or what went wrong. */
export function* compute(code: string): Steps<{ value: number } | string> {
  const [outcome] = yield [{ name: "run_javascript", input: { code } }];
  const value = computed.safeParse(outcome?.output).data?.result;
  return typeof value === "number" ? { value } : (outcome?.error ?? "no result");
}

/** The texts that a question may be about, page by page, as far as the limits go. */
export function* readTexts({ texts, isNamed }: Files, question: string): Steps<Source[]> {
  let paths = texts;
  if (texts.length > TEXTS_MAX && !isNamed) {
    const [found] = yield [
      {
        name: "files_search",
        input: {
          query: [...new Set(keywordsOf(question))].slice(0, 12).join(" ") || "the",
        },
      },
    ];
    const matched = [
      ...new Set(search.safeParse(found?.output).data?.matches.map(({ path }) => path)),
    ];
    paths = matched.filter((path) => texts.includes(path));
  }
  const sources: Source[] = [];
  let pages = 0;
  for (const path of paths.slice(0, TEXTS_MAX)) {
    const source: Source = { name: path, text: "", isWhole: false };
    for (let offset: number | null = 0; offset !== null && pages < PAGES_MAX; pages += 1) {
      const call: OfflineCall = {
        name: "files_read",
        input: { path, offset, limit: PAGE_BYTES },
      };
      const outcomes: Outcome[] = yield [call];
      const read: z.infer<typeof page> | undefined = page.safeParse(outcomes[0]?.output).data;
      if (!read) break;
      source.text += read.text;
      offset = read.next_offset;
      source.isWhole = offset === null && read.more === undefined;
    }
    if (source.text !== "") sources.push(source);
  }
  return sources;
}
