import "server-only";
import { sentencesOf } from "../words";
import { OP_WORDS, SUPERLATIVES } from "./question-words";
import { type Question, readQuestion } from "./read-question";
import type { TableProfile } from "./table-profile";
import { emptyQuery, type MeasureOp, type TableQuery } from "./table-query";

const QUERIES_MAX = 8;
const CLAUSE_VERBS =
  "report|compute|calculate|show|list|find|give|tell|name|count|sum|compare|rank|sort|say|state|write|determine|work|which|what|how|who|where|add|include|also|highlight|identify|summari[sz]e|group|for|correlat(?:e|ion)|relationship";
const OPS = [...OP_WORDS.keys(), ...SUPERLATIVES.keys()].join("|");
/** A comma or conjunction behind which another question starts. */
const CLAUSE_BREAK = new RegExp(
  `\\s*(?:,|;|\\band\\b|\\bthen\\b|\\bplus\\b|\\bas well as\\b|&)+(?:\\s*(?:and|then|also|finally))*\\s+(?=(?:(?:the|its|their|a)\\s+)?(?:${CLAUSE_VERBS}|${OPS})s?\\b)`,
  "i",
);

/**
 * The queries that a text asks of a table, at most 8. A clause that only says more about the one before (`and by year?`, `top 5`)
 * is joined to it; `previous` is the last one of the conversation.
 */
export function readQuestions(text: string, table: TableProfile, previous: TableQuery | null = null): TableQuery[] {
  const queries: TableQuery[] = [];
  for (const sentence of sentencesOf(text)) {
    if (queries.length >= QUERIES_MAX) break;
    takeSentence(sentence, table, queries, previous);
  }
  return queries.flatMap((query) => (isComplete(query) ? [query] : [])).slice(0, QUERIES_MAX);
}

function takeSentence(sentence: string, table: TableProfile, queries: TableQuery[], previous: TableQuery | null): void {
  const every = readEveryColumn(sentence, table);
  if (every) {
    queries.push(every);
    return;
  }
  const clauses = sentence.slice(0, 2000).split(CLAUSE_BREAK).slice(0, 12);
  const questions = clauses.flatMap((clause) => readQuestion(clause, table) ?? []);
  shareColumns(questions);
  shareConditions(questions);
  const own: TableQuery[] = [];
  for (const question of questions) {
    const before = own.at(-1) ?? queries.at(-1) ?? previous;
    const query = isComplete(question.query) ? question.query : before ? join(before, question) : null;
    if (query === null) {
      // A group without a figure still says what to count.
      if (question.query.groups.length > 0) own.push({ ...question.query, measures: [{ op: "count", column: null }] });
      continue;
    }
    const isMore = query !== question.query && before !== previous && before !== null;
    const target = isMore ? (own.includes(before) ? own : queries) : own;
    if (isMore && question.query.groups.length === 0 && question.query.filters.length === 0) target[target.indexOf(before)] = query;
    else own.push(query);
    if (question.isMonthOpen)
      own.push({
        ...query,
        groups: query.groups.map((group) => (group.period === "month" ? { ...group, period: "calendar month" } : group)),
      });
  }
  queries.push(...mergeAlike(own));
}

/** `the mean and the median of price`: a figure without a column means the next clause's. */
function shareColumns(questions: Question[]): void {
  for (let index = questions.length - 2; index >= 0; index -= 1) {
    const here = questions[index];
    const next = questions[index + 1];
    const column = next?.query.measures.find((measure) => measure.column !== null)?.column ?? next?.query.list?.by;
    if (!here || !column || here.openOps.length === 0) continue;
    here.query.measures.push(...here.openOps.map((op) => ({ op, column })));
    here.openOps = [];
  }
}

/** What the last clause of a sentence groups by or is limited to holds for those before it, unless they say otherwise. */
function shareConditions(questions: Question[]): void {
  const last = questions.at(-1);
  if (!last || questions.length < 2) return;
  for (const question of questions.slice(0, -1)) {
    const { query } = question;
    if (query.list === null && query.groups.length === 0 && last.query.order === null && isComplete(query)) {
      query.groups = [...last.query.groups];
      question.isMonthOpen = question.isMonthOpen || (last.isMonthOpen && last.query.groups.length > 0);
    }
    for (const filter of last.query.filters) if (!query.filters.some((own) => own.column === filter.column)) query.filters.push(filter);
  }
}

export function isComplete(query: TableQuery): boolean {
  return query.measures.length > 0 || query.list !== null || query.correlation !== null;
}

/** A question that leaves things out, filled from the one before it. */
function join(before: TableQuery, { query, openOps }: Question): TableQuery {
  const columns = [...new Set(before.measures.flatMap((measure) => (measure.column === null ? [] : [measure.column])))];
  const listed = before.list?.by ? [before.list.by] : [];
  const over = columns.length > 0 ? columns : listed;
  const measures = openOps.length > 0 ? openOps.flatMap((op) => over.map((column) => ({ op, column }))) : before.measures;
  const isRegrouped = query.groups.length > 0;
  const kept = before.filters.filter((filter) => !query.filters.some((own) => own.column === filter.column));
  const asked =
    isRegrouped && measures.length === 0
      ? over.flatMap((column) => [
          { op: "mean" as const, column },
          { op: "max" as const, column },
        ])
      : measures;
  const isRanked = query.limit !== null && before.groups.length > 0 && asked.length > 0;
  return {
    filters: [...kept, ...query.filters],
    groups: isRegrouped ? query.groups : before.groups,
    measures: asked,
    order: isRanked ? (before.order ?? { measure: 0, descending: true }) : isRegrouped || openOps.length > 0 ? null : before.order,
    limit: query.limit ?? before.limit,
    list: isRegrouped || openOps.length > 0 || before.list === null ? null : { ...before.list, limit: query.limit ?? before.list.limit },
    correlation: isRegrouped ? null : before.correlation,
  };
}

/** Figures on the same rows and groups belong into one table. */
function mergeAlike(queries: TableQuery[]): TableQuery[] {
  const merged: TableQuery[] = [];
  for (const query of queries) {
    const isPlain = query.list === null && query.correlation === null && query.order === null && query.limit === null;
    const like =
      isPlain &&
      merged.find((other) => other.list === null && other.correlation === null && other.order === null && sameRows(other, query));
    if (!like) merged.push({ ...query, measures: [...query.measures] });
    else
      like.measures.push(
        ...query.measures.filter((one) => !like.measures.some((other) => other.op === one.op && other.column === one.column)),
      );
  }
  return merged;
}

function sameRows(a: TableQuery, b: TableQuery): boolean {
  return JSON.stringify([a.filters, a.groups]) === JSON.stringify([b.filters, b.groups]);
}

const EVERY =
  /\b(?:each|every|all)(?:\s+of)?(?:\s+the)?\s+(?:(?:numeric(?:al)?|number|measured)\s+)?(?:columns?|fields?|variables?)\b|\bnumeric(?:al)?\s+(?:columns?|fields?|variables?)\b/i;
const ROWS =
  /\b(?:number|count|amount)\s+of\s+(?:rows|records|entries|lines)\b|\bhow\s+many\s+(?:rows|records|entries|lines)\b|\brow\s+count\b/i;
const COLUMNS_MAX = 12;
const DEFAULT_OPS: readonly MeasureOp[] = ["mean", "min", "max"];

/**
 * `the average and the maximum of each numeric column`: the figures of a sentence that names no column because it means all of them.
 * Null for a sentence that does not.
 */
function readEveryColumn(sentence: string, table: TableProfile): TableQuery | null {
  const every = EVERY.exec(sentence);
  const numeric = table.columns.filter((column) => column.kind === "number").slice(0, COLUMNS_MAX);
  if (!every || numeric.length === 0) return null;
  const rest = sentence.replace(EVERY, " ").replace(ROWS, " ");
  const named = (rest.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => OP_WORDS.get(word) ?? []);
  const ops = [...new Set(named.filter((op) => op !== "count" && op !== "share"))];
  const measures = numeric.flatMap(({ name }) => (ops.length > 0 ? ops : DEFAULT_OPS).map((op) => ({ op, column: name })));
  return { ...emptyQuery(), measures: ROWS.test(sentence) ? [{ op: "count", column: null }, ...measures] : measures };
}
