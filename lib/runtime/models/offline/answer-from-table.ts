import "server-only";
import { chooseQueries, phrasesOf } from "./choose-queries";
import { call, type OfflineTurn, say } from "./offline-turn";
import type { PickedFiles } from "./pick-files";
import type { Job } from "./read-job";
import type { RunState } from "./run-state";
import { describeAnswer } from "./table/describe-answer";
import { describeQuery } from "./table/describe-query";
import { describeSummary } from "./table/describe-summary";
import { profileCode } from "./table/profile-code";
import { queryCode } from "./table/query-code";
import { summaryQueries } from "./table/summary-queries";
import type { TableProfile } from "./table/table-profile";
import type { TableQuery } from "./table/table-query";

interface Choice {
  table: TableProfile;
  queries: TableQuery[];
  unread: string[];
  ignored: string[];
  isSummary: boolean;
}

/** Answers from a table of the workspace or of the request itself; null when there is none that fits. */
export function answerFromTable(job: Job, state: RunState, files: PickedFiles): OfflineTurn | null {
  const inline = Object.keys(job.tables);
  const paths = [...inline, ...files.tables];
  if (paths.length === 0) return null;
  if (!job.tools.has("run_javascript")) return files.texts.length > 0 && !files.named ? null : say(withoutCode(paths));
  if (state.codeError !== null && state.answers === null) return say(failed(paths, state.codeError));
  if (state.profiles === null) {
    return call([{ name: "run_javascript", input: { code: profileCode(paths, phrasesOf(job), job.tables), files: files.tables } }]);
  }
  const choice = chooseTable(
    job,
    state.profiles.flatMap((table) => ("error" in table ? [] : [table])),
  );
  if (choice === null || (choice.isSummary && !files.named && files.texts.length > 0 && inline.length === 0)) {
    return files.texts.length > 0 ? null : say(unreadable(state));
  }
  if (state.answers === null) {
    const isFile = !inline.includes(choice.table.path);
    const code = queryCode(choice.table.path, choice.queries, job.tables);
    return call(
      [{ name: "run_javascript", input: { code, files: isFile ? [choice.table.path] : [] } }],
      `Compute on ${choice.table.path}: ${describeShortly(choice)}.`,
    );
  }
  return say(describeChoice(choice, state, paths));
}

function chooseTable(job: Job, tables: readonly TableProfile[]): Choice | null {
  const ranked = tables
    .filter((table) => table.rows > 0)
    .map((table) => ({ table, ...chooseQueries(job, table) }))
    .sort((a, b) => b.score - a.score);
  const [best] = ranked;
  if (!best) return null;
  const isSummary = best.queries.length === 0;
  return {
    table: best.table,
    queries: isSummary ? summaryQueries(best.table) : best.queries,
    unread: best.unread,
    ignored: best.ignored,
    isSummary,
  };
}

function describeShortly({ isSummary, queries }: Choice): string {
  return isSummary ? "a summary of its columns" : queries.map(describeQuery).join("; ");
}

function describeChoice(choice: Choice, state: RunState, paths: readonly string[]): string {
  const { table, queries } = choice;
  const answers = state.answers?.answers ?? [];
  const parts = choice.isSummary
    ? [describeSummary(table, queries, answers)]
    : joinBullets(queries.flatMap((query, index) => (answers[index] ? [describeAnswer(query, answers[index])] : [])));
  if (choice.ignored.length > 0)
    parts.unshift(`Left out, because nothing in \`${table.path}\` answers to it: ${choice.ignored.map((word) => `“${word}”`).join(", ")}.`);
  for (const sentence of choice.unread)
    parts.push(`Not answered, because the built-in rule-based model could not read it: “${sentence.slice(0, 200)}”`);
  const others = paths.filter((path) => path !== table.path);
  const unused = others.length > 0 ? ` Not used: ${others.map((path) => `\`${path}\``).join(", ")}.` : "";
  parts.push(
    `Source: \`${table.path}\` (${table.rows} rows, ${table.columns.length} columns), computed with code over every row.${unused}`,
  );
  return parts.join("\n\n");
}

/** Figures that follow each other make one list. */
function joinBullets(parts: string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isList = (text: string | undefined) => text?.split("\n").every((line) => line.startsWith("- "));
    if (isList(part) && isList(last)) joined[joined.length - 1] = `${last}\n${part}`;
    else joined.push(part);
  }
  return joined;
}

function withoutCode(paths: readonly string[]): string {
  return `This would need figures from ${paths.map((path) => `\`${path}\``).join(", ")}, but the agent has no \`run_javascript\` tool, and the built-in model does not guess figures. Allow that tool in the agent's config.`;
}

function failed(paths: readonly string[], error: string): string {
  return `The figures could not be computed from ${paths.map((path) => `\`${path}\``).join(", ")}: ${error}`;
}

function unreadable(state: RunState): string {
  const errors = (state.profiles ?? []).flatMap((table) =>
    "error" in table ? [`\`${table.path}\`: ${table.error}`] : [`\`${table.path}\` has no rows`],
  );
  return `No table could be read. ${errors.join("; ")}`;
}
