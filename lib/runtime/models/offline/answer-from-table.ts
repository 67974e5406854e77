import "server-only";
import { call, type OfflineTurn, say } from "./offline-turn";
import type { PickedFiles } from "./pick-files";
import type { Job } from "./read-job";
import type { RunState } from "./run-state";
import { describeAnswer } from "./table/describe-answer";
import { describeQuery } from "./table/describe-query";
import { describeSummary } from "./table/describe-summary";
import { type Phrase, profileCode } from "./table/profile-code";
import { queryCode } from "./table/query-code";
import { readQuestion } from "./table/read-question";
import { readQuestions } from "./table/read-questions";
import { summaryQueries } from "./table/summary-queries";
import type { TableProfile } from "./table/table-profile";
import { emptyQuery, type Filter, type TableQuery } from "./table/table-query";
import { STOP_WORDS, sentencesOf, wordsOf } from "./words";

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

interface ChosenQueries {
  /** Empty when nothing is asked that the table could answer. */
  queries: TableQuery[];
  /** Sentences of the request that the rules could not read. */
  unread: string[];
  /** Words of conditions that nothing in the table answers to. */
  ignored: string[];
  /** How well the table fits what is asked. */
  score: number;
}

/** What to compute on a table: what the person asks; else what the skill asks, under the person's conditions. */
function chooseQueries(job: Job, table: TableProfile): ChosenQueries {
  const skill = readQuestions([...job.steps, ...(job.steps.length > 0 ? [] : [job.purpose])].join("\n"), table);
  const ofPurpose = skill.length > 0 ? skill : readQuestions(job.purpose, table);
  let previous: TableQuery | null = null;
  for (const earlier of job.earlier) previous = readQuestions(earlier, table, previous).at(-1) ?? previous;
  const own = readQuestions(job.request, table, previous ?? (ofPurpose.length === 1 ? (ofPurpose[0] ?? null) : null));
  if (own.length > 0)
    return {
      queries: withoutEchoes(own),
      unread: unreadIn(job.request, table),
      ignored: ignoredIn(job.request, table),
      score: 3 * own.length + table.hits.length,
    };
  const conditions = conditionsIn(job.request, table);
  const queries = ofPurpose.length > 0 ? ofPurpose.map((query) => withConditions(query, conditions)) : countWhere(conditions);
  return { queries: withoutEchoes(queries), unread: [], ignored: [], score: queries.length + table.hits.length / 10 };
}

function conditionsIn(request: string, table: TableProfile): Filter[] {
  return sentencesOf(request).flatMap((sentence) => readQuestion(sentence, table)?.query.filters ?? []);
}

/** Within one year the months of the year are those of the calendar: one table is enough. */
function withoutEchoes(queries: TableQuery[]): TableQuery[] {
  const isOneYear = ({ filters }: TableQuery) => {
    const bound = (op: Filter["op"]) => filters.find((filter) => filter.op === op)?.values[0];
    return bound("year>=") !== undefined && bound("year>=") === bound("year<=");
  };
  return queries.filter((query) => !isOneYear(query) || !query.groups.some((group) => group.period === "calendar month"));
}

/** Conditions alone ask how many rows fit them. */
function countWhere(conditions: Filter[]): TableQuery[] {
  return conditions.length > 0 ? [{ ...emptyQuery(), filters: conditions, measures: [{ op: "count", column: null }] }] : [];
}

function withConditions(query: TableQuery, conditions: readonly Filter[]): TableQuery {
  const others = query.filters.filter((filter) => !conditions.some((condition) => condition.column === filter.column));
  return { ...query, filters: [...others, ...conditions] };
}

function ignoredIn(request: string, table: TableProfile): string[] {
  const words = sentencesOf(request).flatMap((sentence) => readQuestion(sentence, table)?.ignored ?? []);
  return [...new Set(words)].slice(0, 8);
}

const SMALL_TALK = /\b(?:please|thanks?|hello|hi|file|report|artifact|workspace|csv|json)\b/i;

function unreadIn(request: string, table: TableProfile): string[] {
  return sentencesOf(request)
    .filter((sentence) => wordsOf(sentence).length > 3 && !SMALL_TALK.test(sentence) && readQuestion(sentence, table) === null)
    .slice(0, 5);
}

const PHRASES_MAX = 500;
const PHRASE_MAX_WORDS = 4;

/** Parts of what was said that may be values of a table, the request's first. */
function phrasesOf(job: Job): Phrase[] {
  const phrases = new Map<string, Phrase>();
  for (const text of [job.request, ...[...job.earlier].reverse(), ...job.steps, job.purpose]) {
    for (const sentence of sentencesOf(text)) addPhrases(sentence, phrases);
    if (phrases.size >= PHRASES_MAX) break;
  }
  return [...phrases.values()].slice(0, PHRASES_MAX);
}

function addPhrases(sentence: string, phrases: Map<string, Phrase>): void {
  const words = sentence.match(/[\p{L}\p{N}_]+(?:['’.,][\p{L}\p{N}]+)*/gu) ?? [];
  for (let start = 0; start < words.length; start += 1) {
    for (let length = 1; length <= PHRASE_MAX_WORDS && start + length <= words.length; length += 1) {
      const part = words.slice(start, start + length);
      const edges = [part[0] ?? "", part.at(-1) ?? ""];
      if (edges.some((word) => STOP_WORDS.has(word) || (length === 1 && (word.length < 2 || /^\d+$/.test(word))))) continue;
      const text = part.join(" ");
      phrases.set(text, { text, words: length, proper: part.every((word) => /^\p{Lu}/u.test(word)) });
    }
  }
}
