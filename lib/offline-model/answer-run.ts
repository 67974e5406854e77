import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { readArithmetic } from "./arithmetic";
import {
  describeAnswer,
  describeTable,
  type Finding,
  problemOf,
  writeFile,
} from "./describe-answer";
import { phrasesOf } from "./find-mentions";
import { cut, quote } from "./language";
import type { OfflineCall, ReadPrompt, Steps } from "./prompt";
import { compute, type Files, pickFiles, profileTables, queryTable, readTexts } from "./read-files";
import { type Job, readJob, stepOf, type Task, unsafe } from "./read-job";
import { continueQuestion, type Question, readQuestion } from "./read-question";
import { quoteTexts, type Source, tablesIn } from "./read-texts";
import {
  type Filter,
  type InlineTables,
  overviewOf,
  type TableProfile,
  type TableQuery,
} from "./table-query";

const OWN_TOOLS: ReadonlySet<string> = new Set(BUILT_IN_TOOL_NAMES);
const PHRASES_MAX = 800;
const TASKS_MAX = 30;
const NO_CODE =
  "the agent has no `run_javascript` tool, and the built-in model does not guess figures";
const CAN =
  "What it can do: compute on CSV, TSV and JSON files of the run's workspace, quote text " +
  "files by a question, work on a table or text given in the input, and calculate. For " +
  "anything else switch on a model, for instance with `OPENAI_COMPATIBLE_BASE_URL` or a " +
  "vendor's key.";

export interface RunAnswer {
  text: string;
  findings: Finding[];
  /** Whether everything that was asked for is done. */
  isWhole: boolean;
}

/** Does what a run asks for, clause by clause, and says of each clause that it did not do why. */
export function* answerRun(prompt: ReadPrompt): Steps<RunAnswer> {
  const run = new Run(readJob(prompt), prompt);
  const files = yield* run.open();
  if (files.absent.length > 0 && files.tables.length + files.texts.length === 0)
    run.refuseAll(files.absent);
  else {
    yield* run.calculate();
    yield* run.askTables(files.tables, run.job.tables);
    yield* run.askTexts(files);
    run.takeBack();
    yield* run.write();
  }
  return yield* run.close(files);
}

/** A query that a task asks of a table. */
interface Asked {
  task: Task;
  query: TableQuery;
  isOverview: boolean;
}

class Run {
  readonly #tasks: Task[];
  #findings: Finding[] = [];
  readonly #sources = new Set<string>();
  #hasReadFile = false;

  constructor(
    readonly job: Job,
    readonly prompt: ReadPrompt,
  ) {
    const isFollowUp = job.earlier.length > 0 && job.request.length > 0;
    const task = (text: string, sentence: number | null) => ({
      text,
      sentence,
      done: false,
      reason: "",
      answer: "",
    });
    const asked = [
      ...job.request.flatMap((clauses, at) => clauses.map((text) => task(text, at))),
      ...(isFollowUp ? [] : job.steps.map((text) => task(text, null))),
    ];
    this.#tasks = asked
      .filter(({ text }, at) => asked.findIndex((one) => one.text === text) === at)
      .slice(0, TASKS_MAX);
  }

  /** Plans and looks around. */
  *open(): Steps<Files> {
    const list = this.job.hasWorkspace ? [{ name: "files_search", input: {} }] : [];
    const opening = [...this.#todo(), ...list];
    const outcomes = opening.length > 0 ? yield opening : [];
    const { request, inputs, earlier, steps } = this.job;
    return pickFiles(list.length > 0 ? outcomes.at(-1) : undefined, [
      [...request.flat(), ...inputs].join("\n"),
      [...earlier].reverse().join("\n"),
      steps.join("\n"),
    ]);
  }

  #todo(): OfflineCall[] {
    if (!this.prompt.tools.has("todo") || this.#tasks.length < 2) return [];
    const items = this.#tasks.map(({ text, done }) => ({ text: cut(text, 300), done }));
    return [{ name: "todo", input: { items } }];
  }

  #open(): Task[] {
    return this.#tasks.filter(({ done }) => !done);
  }

  #finish(task: Task, answer: string, finding?: Finding): void {
    task.done = true;
    task.answer = [task.answer, answer].filter(Boolean).join("\n\n");
    if (finding) this.#findings.push(finding);
  }

  refuseAll(absent: readonly string[]): void {
    const names = absent.map((name) => `\`${name}\``).join(", ");
    for (const task of this.#tasks) task.reason = `there is no file ${names} that it can read`;
  }

  *calculate(): Steps<void> {
    for (const task of this.#open()) {
      const sum = readArithmetic(task.text);
      if (sum === null) continue;
      const result = this.prompt.tools.has("run_javascript") ? yield* compute(sum.code) : NO_CODE;
      if (typeof result === "string") task.reason = result;
      else
        this.#finish(task, `${sum.text} = **${result.value}**`, {
          text: "",
          figures: [{ name: "result", value: result.value }],
          rows: null,
        });
    }
  }

  *askTables(read: readonly string[], inline: InlineTables): Steps<void> {
    const open = this.#open();
    if (open.length === 0 || read.length + Object.keys(inline).length === 0) return;
    if (!this.prompt.tools.has("run_javascript")) {
      for (const task of open) task.reason = NO_CODE;
      return;
    }
    const said = [...open.map(({ text }) => text), ...this.job.inputs, ...this.job.earlier];
    const phrases = phrasesOf(said, PHRASES_MAX);
    const { tables, problems } = yield* profileTables(read, phrases, inline);
    this.#hasReadFile ||= tables.length > 0;
    const wanted = tables.map((table) => ({ table, asked: this.#askedOf(open, table) }));
    for (const { table, asked } of wanted)
      if (asked.length > 0) yield* this.#ask(table, asked, inline);
    for (const task of open)
      if (!task.done && task.reason === "") task.reason = problems.join("; ");
  }

  *#ask(table: TableProfile, asked: readonly Asked[], inline: InlineTables): Steps<void> {
    const queries = asked.map(({ query }) => query);
    const answers = yield* queryTable(table.path, queries, inline);
    for (const [index, { task, query, isOverview }] of asked.entries()) {
      const answer = typeof answers === "string" ? undefined : answers[index];
      const problem = answer ? problemOf(query, answer) : String(answers);
      if (answer === undefined || problem !== null) {
        task.reason = problem ?? "";
        continue;
      }
      const finding = describeAnswer(query, answer, table.path);
      this.#finish(task, isOverview ? describeTable(table, finding) : finding.text, finding);
      this.#sources.add(
        `\`${table.path}\` (${table.rows} rows, ${table.columns.length} columns), computed with ` +
          "code over every row",
      );
    }
  }

  /** What the tasks ask of a table: of one not every word of which was understood, nothing. */
  #askedOf(tasks: readonly Task[], table: TableProfile): Asked[] {
    const conditions = this.#conditions(table);
    const before = this.#before(table);
    /** The sentence that a condition was set in last. */
    let narrowed: number | null = null;
    const asked: Asked[] = [];
    for (const task of tasks) {
      if (stepOf(task.text, [table.path]) === "overview") {
        asked.push({ task, query: overviewOf(table), isOverview: true });
        continue;
      }
      const read = readQuestion(task.text, table);
      const isFollowUp = before !== null && task.sentence !== null && LEANS.test(task.text);
      const question = isFollowUp ? continueQuestion(before, read) : read;
      const { query, unread } = question;
      // `Who led WO5214, and how many hours were planned?`: of all rows, or of that one.
      const isUnclear =
        query.filters.length === 0 &&
        narrowed !== null &&
        narrowed === task.sentence &&
        !ALL.test(task.text);
      if (query.filters.length > 0) narrowed = task.sentence;
      const problems = [
        ...(conditions === null ? ["the run's other inputs"] : []),
        ...unread,
        ...(isUnclear ? ["whether it is asked of all rows"] : []),
      ];
      if (problems.length > 0 || conditions === null) task.reason ||= reasonOf(problems, table);
      else if (question.asks && !question.isOpen) {
        const own = query.filters.map(({ column }) => column);
        const others = conditions.filter(({ column }) => !own.includes(column));
        const filters = [...query.filters, ...others];
        asked.push({ task, query: { ...query, filters }, isOverview: false });
      }
    }
    return asked;
  }

  /** The last question that was asked of the table before; null where there was none. */
  #before(table: TableProfile): Question | null {
    return this.job.earlier.reduce<Question | null>((last, text) => {
      const read = readQuestion(text, table);
      const next = last && LEANS.test(text) ? continueQuestion(last, read) : read;
      return next.asks && next.unread.length === 0 ? next : last;
    }, null);
  }

  /**
   * Conditions that the other inputs and clauses without a question set; null when one of the
   * inputs says nothing to the table.
   */
  #conditions(table: TableProfile): Filter[] | null {
    const inputs = this.job.inputs
      .filter((text) => !/^(?:file|path|files|document)\b/.test(text))
      .map((text) => readQuestion(text, table));
    if (inputs.some(({ unread, query }) => unread.length > 0 || query.filters.length === 0))
      return null;
    const clauses = this.#tasks
      .map(({ text }) => readQuestion(text, table))
      .filter(({ asks, unread }) => !asks && unread.length === 0);
    return [...inputs, ...clauses].flatMap(({ query }) => query.filters);
  }

  *askTexts(files: Files): Steps<void> {
    const open = this.#open().filter(({ text }) => stepOf(text) === null);
    if (this.#open().length === 0) return;
    const question = open.map(({ text }) => text).join(" ");
    const sources: Source[] = [
      ...(files.texts.length > 0 ? yield* readTexts(files, question) : []),
      ...this.job.material,
    ];
    this.#hasReadFile ||= sources.length > 0;
    if (sources.length === 0) return;
    yield* this.askTables([], tablesIn(sources));
    for (const task of open.filter(({ done }) => !done)) {
      const { text, missing } = quoteTexts(task.text, sources);
      if (missing.length === 0) {
        this.#finish(task, text, { text, figures: [], rows: null });
        for (const { name, isWhole } of sources)
          this.#sources.add(
            `${name.includes(" ") ? name : `\`${name}\``}${isWhole ? "" : " (its first pages)"}, ` +
              "quoted word for word",
          );
      } else if (task.reason === "" || this.job.material.length > 0 || files.tables.length === 0)
        task.reason = (
          `the files do not say it: no sentence holds ${missing.map(quote).join(", ")}. ` +
          `${text}`
        ).trim();
    }
  }

  /** What was answered although a clause that it hangs on was not understood. */
  takeBack(): void {
    const said = this.#tasks.filter(({ sentence }) => sentence !== null);
    const on = said.find(({ done }) => !done)?.text ?? "";
    for (const task of unsafe(said)) {
      task.done = false;
      task.answer = "";
      task.reason = `it hangs together with ${quote(on)}, which was not understood`;
    }
    if (this.#tasks.some(({ done }) => done)) return;
    this.#sources.clear();
    this.#findings = [];
  }

  /** Steps that read, write and tell what was found. */
  *write(): Steps<void> {
    const found = this.#answers().join("\n\n");
    for (const task of this.#open()) {
      const step = stepOf(task.text);
      if (step === null || step === "overview") continue;
      if (step === "read" && this.#hasReadFile) this.#finish(task, "");
      else if (step === "read") task.reason = "there is no file that it can read";
      else if (found === "") task.reason = "nothing was found to write or tell";
      else if (step === "tell") this.#finish(task, "");
      else if (!this.prompt.tools.has("artifacts"))
        task.reason = "the agent has no `artifacts` tool, which makes files";
      else {
        const isCsv = /\bcsv\b/i.test(task.text);
        const [outcome] = yield [writeFile(this.job.title, found, isCsv, this.#findings)];
        if (outcome?.failed === false)
          this.#finish(task, "The same stands in the file that comes with this answer.");
        else task.reason = outcome?.error ?? "the file could not be made";
      }
    }
  }

  /** The skill may ask what the request asks, too: it is said once. */
  #answers(): string[] {
    return [...new Set(this.#tasks.map(({ answer }) => answer).filter(Boolean))];
  }

  /**
   * Why a clause was not done: a tool that it names and the rules cannot call, what was found out,
   * else the rules themselves.
   */
  #whyNot({ text, reason }: Task): string {
    const connectors = [...this.prompt.tools.keys()].filter(
      (name) => !OWN_TOOLS.has(name) && text.includes(name),
    );
    if (connectors.length > 0)
      return (
        "the built-in model calls no connectors, so " +
        `${connectors.map((name) => `\`${name}\``).join(", ")} was not called`
      );
    return reason || "the built-in rule-based model cannot do this by itself";
  }

  /** Ticks what was done, and puts the answer together. */
  *close(files: Files): Steps<RunAnswer> {
    const todo = this.#todo();
    if (todo.length > 0) yield todo;
    const answers = this.#answers();
    const open = this.#open();
    const reasons = open.map((task) => `- ${quote(task.text)}: ${this.#whyNot(task)}`);
    if (this.#tasks.length === 0) reasons.push("- Nothing was asked for.");
    const lead =
      answers.length > 0
        ? "Not done:"
        : "This run used `builtin/offline`, a model of rules without knowledge of the world, " +
          "and it cannot answer this by itself:";
    const isAbsent = files.absent.length > 0 && files.all.length > 0;
    const text = [
      ...answers,
      ...(reasons.length > 0 ? [[lead, ...reasons].join("\n")] : []),
      ...(isAbsent && reasons.length > 0 ? [`The workspace has: ${named(files.all)}.`] : []),
      ...(this.#sources.size > 0 ? [`Source: ${[...this.#sources].join("; ")}.`] : []),
      ...(answers.length === 0 ? [CAN] : []),
    ].join("\n\n");
    return { text, findings: this.#findings, isWhole: this.#tasks.length > 0 && open.length === 0 };
  }
}

/** A question that goes on with the one before it. */
const LEANS = /^(?:and|what about|how about|but|only|also)\b/i;
const ALL = /\b(?:all|every|each|overall|total|altogether)\b/i;
const NAMES_SHOWN = 20;
const PROBLEMS_SHOWN = 6;

function named(names: readonly string[]): string {
  return names
    .slice(0, NAMES_SHOWN)
    .map((name) => `\`${name.replaceAll("`", "'")}\``)
    .join(", ");
}

function reasonOf(problems: readonly string[], { path, columns }: TableProfile): string {
  const words = problems.slice(0, PROBLEMS_SHOWN).join(", ");
  return (
    `in \`${path}\` it does not understand ${words}; its columns are ` +
    `${named(columns.map(({ name }) => name))}`
  );
}
