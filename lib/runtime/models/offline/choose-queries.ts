import "server-only";
import type { Job } from "./read-job";
import type { Phrase } from "./table/profile-code";
import { readQuestion } from "./table/read-question";
import { readQuestions } from "./table/read-questions";
import type { TableProfile } from "./table/table-profile";
import { emptyQuery, type Filter, type TableQuery } from "./table/table-query";
import { STOP_WORDS, sentencesOf, wordsOf } from "./words";

export interface ChosenQueries {
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
export function chooseQueries(job: Job, table: TableProfile): ChosenQueries {
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
export function phrasesOf(job: Job): Phrase[] {
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
