import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import {
  describeAnswer,
  describeTable,
  type Finding,
  problemOf,
  writeFile,
} from "./describe-answer";
import { phrasesOf } from "./find-mentions";
import { cut, quote, readArithmetic } from "./language";
import type { OfflineCall, ReadPrompt, Steps } from "./prompt";
import { compute, type Files, pickFiles, profileTables, queryTable, readTexts } from "./read-files";
import {
  asksForCause,
  dependents,
  type Job,
  planTasks,
  readJob,
  readStep,
  type Task,
} from "./read-job";
import { askedOfNamed, continueQuestion, type Question, readQuestion } from "./read-question";
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
const CAN =
  "What it can do: compute on CSV, TSV and JSON files of the run's workspace, quote text files by a question, work on a table or text given in the input, and calculate. For anything else switch on a model, for instance with `OPENAI_COMPATIBLE_BASE_URL` or a vendor's key.";

export interface RunAnswer {
  text: string;
  findings: Finding[];
  /** Whether everything that was asked for is done. */
  isWhole: boolean;
}

/** Does what a run asks for, clause by clause, and says of each clause that it did not do why. */
export function* answerRun(prompt: ReadPrompt): Steps<RunAnswer> {
  const job = readJob(prompt);
  const run = new Run(job, prompt);
  const files = yield* run.open();
  if (files.absent.length > 0 && files.tables.length + files.texts.length === 0)
    run.refuseAll(files.absent);
  else {
    yield* run.calculate();
    yield* run.askTables(files.tables, job.tables);
    yield* run.askTexts(files);
    run.takeBack();
    yield* run.write();
  }
  return yield* run.close(files);
}

class Run {
  readonly #tasks: Task[];
  readonly #findings: Finding[] = [];
  readonly #sources = new Set<string>();
  readonly #seen = new Set<string>();
  #hasReadFile = false;

  constructor(
    readonly job: Job,
    readonly prompt: ReadPrompt,
  ) {
    const isFollowUp = job.earlier.length > 0 && job.request.length > 0;
    const texts = [...job.request, ...(isFollowUp ? [] : job.steps)];
    this.#tasks = [...new Set(planTasks(texts, prompt.tools.has("todo")))]
      .slice(0, TASKS_MAX)
      .map((text) => ({ text, done: false, reason: "", answer: "" }));
  }

  /** Plans and looks around. */
  *open(): Steps<Files> {
    const list = this.job.hasWorkspace ? [{ name: "files_search", input: {} }] : [];
    const opening = [...this.#todo(), ...list];
    const outcomes = opening.length > 0 ? yield opening : [];
    const { request, inputs, earlier, steps } = this.job;
    return pickFiles(list.length > 0 ? outcomes.at(-1) : undefined, [
      [...request, ...inputs].join("\n"),
      [...earlier].reverse().join("\n"),
      steps.join("\n"),
    ]);
  }

  #todo(): OfflineCall[] {
    if (!this.prompt.tools.has("todo") || this.#tasks.length < 2) return [];
    return [
      {
        name: "todo",
        input: { items: this.#tasks.map(({ text, done }) => ({ text: cut(text, 300), done })) },
      },
    ];
  }

  #open(): Task[] {
    return this.#tasks.filter(({ done }) => !done);
  }

  #finish(task: Task, answer: string, ...findings: Finding[]): void {
    task.done = true;
    // The skill may ask what the request asks, too.
    if (!this.#seen.has(answer)) task.answer = answer;
    this.#seen.add(answer);
    this.#findings.push(...findings);
  }

  refuseAll(absent: readonly string[]): void {
    for (const task of this.#tasks)
      task.reason = `there is no file ${absent.map((name) => `\`${name}\``).join(", ")} that it can read`;
  }

  *calculate(): Steps<void> {
    for (const task of this.#open()) {
      const sum = readArithmetic(task.text);
      if (sum === null) continue;
      const result = this.prompt.tools.has("run_javascript")
        ? yield* compute(sum.code)
        : "the agent has no `run_javascript` tool, and the built-in model does not guess figures";
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
    const paths = [...Object.keys(inline), ...read];
    const open = this.#open();
    if (paths.length === 0 || open.length === 0) return;
    if (!this.prompt.tools.has("run_javascript")) {
      for (const task of open)
        task.reason = `it would need figures from ${paths.map((path) => `\`${path}\``).join(", ")}, but the agent has no \`run_javascript\` tool, and the built-in model does not guess figures`;
      return;
    }
    const phrases = phrasesOf(
      [...open.map(({ text }) => text), ...this.job.inputs, ...this.job.earlier],
      PHRASES_MAX,
    );
    const { tables, problems } = yield* profileTables(read, phrases, inline);
    this.#hasReadFile ||= tables.length > 0;
    const wanted = tables.map((table) => ({
      table,
      queries: open.flatMap((task) => this.#questionsOf(task, table, tables)),
    }));
    for (const { table, queries } of wanted) {
      if (queries.length === 0) continue;
      const answers = yield* queryTable(
        table.path,
        queries.map(({ query }) => query),
        inline,
      );
      for (const [index, { task, query, isOverview }] of queries.entries()) {
        const answer = typeof answers === "string" ? undefined : answers[index];
        const problem =
          answer === undefined
            ? typeof answers === "string"
              ? answers
              : "no result"
            : problemOf(query, answer);
        if (answer === undefined || problem !== null) {
          task.reason = problem ?? "";
          continue;
        }
        const finding = describeAnswer(query, answer, table.path);
        this.#finish(
          task,
          [task.answer, isOverview ? describeTable(table, finding) : finding.text]
            .filter(Boolean)
            .join("\n\n"),
          finding,
        );
        this.#sources.add(
          `\`${table.path}\` (${table.rows} rows, ${table.columns.length} columns), computed with code over every row`,
        );
      }
    }
    for (const task of open)
      if (!task.done && task.reason === "") task.reason = problems.join("; ");
  }

  /**
   * What a task asks of a table: nothing, with its reason, unless every word of it was understood.
   */
  #questionsOf(
    task: Task,
    table: TableProfile,
    tables: readonly TableProfile[],
  ): { task: Task; query: TableQuery; isOverview: boolean }[] {
    if (readStep(task.text, [table.path]) === "overview")
      return [{ task, query: overviewOf(table), isOverview: true }];
    if (
      asksForCause(task.text) &&
      !table.columns.some(({ name }) => /reason|cause|why|note|comment/i.test(name))
    ) {
      task.reason ||= `\`${table.path}\` does not say why`;
      return [];
    }
    const clauses = this.#tasks.map(({ text }) => text);
    const question = askedOfNamed(this.#continued(task, table), task.text, clauses, table);
    const conditions = this.#conditions(table);
    if (conditions === null || !question.asks || question.isOpen || question.unread.length > 0) {
      const words = [
        ...(conditions === null ? ["the run's other inputs"] : []),
        ...question.unread,
      ];
      const others = tables.length > 1 ? "the tables" : `\`${table.path}\``;
      if (task.reason === "" && words.length > 0)
        task.reason = `in ${others} it does not understand ${words.slice(0, 6).join(", ")}; the columns of \`${table.path}\` are ${table.columns
          .slice(0, 20)
          .map(({ name }) => `\`${name.replaceAll("`", "'")}\``)
          .join(", ")}`;
      return [];
    }
    const own = question.query.filters.map(({ column }) => column);
    return [
      {
        task,
        query: {
          ...question.query,
          filters: [
            ...question.query.filters,
            ...conditions.filter(({ column }) => !own.includes(column)),
          ],
        },
        isOverview: false,
      },
    ];
  }

  #continued(task: Task, table: TableProfile): Question {
    const question = readQuestion(task.text, table);
    if (
      this.job.earlier.length === 0 ||
      !this.job.request.includes(task.text) ||
      !/^(?:and|what about|how about|but|only|also)\b/i.test(task.text)
    )
      return question;
    const before = this.job.earlier.reduce<Question | null>((last, text) => {
      const read = readQuestion(text, table);
      const next =
        last && /^(?:and|what about|how about|but|only|also)\b/i.test(text)
          ? continueQuestion(last, read)
          : read;
      return next.asks && next.unread.length === 0 ? next : last;
    }, null);
    return before ? continueQuestion(before, question) : question;
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
    const open = this.#open().filter(
      ({ text }) => readStep(text) === null || readStep(text) === "overview",
    );
    const question = open.map(({ text }) => text).join(" ");
    const isNeeded = this.#open().length > 0 && files.texts.length > 0 && this.job.hasWorkspace;
    const sources: Source[] = [
      ...(isNeeded ? yield* readTexts(files, question) : []),
      ...this.job.material,
    ];
    this.#hasReadFile ||= sources.length > 0;
    if (sources.length === 0) return;
    yield* this.askTables([], tablesIn(sources));
    for (const task of open.filter(({ done }) => !done)) {
      const { text, missing } = quoteTexts(task.text, sources);
      if (missing.length === 0 && text !== "") {
        this.#finish(task, text, { text, figures: [], rows: null });
        for (const { name, isWhole } of sources)
          this.#sources.add(
            `${name.includes(" ") ? name : `\`${name}\``}${isWhole ? "" : " (its first pages)"}, quoted word for word`,
          );
      } else if (task.reason === "" || this.job.material.length > 0 || files.tables.length === 0)
        task.reason =
          `the files do not say it: no sentence holds ${missing.map(quote).join(", ") || "it"}. ${text}`.trim();
    }
  }

  /** What was answered although a clause that it hangs on was not understood. */
  takeBack(): void {
    const said = this.#tasks.filter(({ text }) => this.job.request.includes(text));
    for (const task of dependents(said)) {
      const on = said.find(({ done }) => !done)?.text ?? "";
      Object.assign(task, {
        done: false,
        answer: "",
        reason: `it hangs together with ${quote(on)}, which was not understood`,
      });
    }
    if (said.some(({ done }) => done) || this.#tasks.some(({ done }) => done)) return;
    this.#sources.clear();
    this.#findings.length = 0;
  }

  /** Steps that read, write and tell what was found. */
  *write(): Steps<void> {
    for (const task of this.#open()) {
      if (readStep(task.text) !== "read") continue;
      if (this.#hasReadFile) this.#finish(task, "");
      else task.reason = "there is no file that it can read";
    }
    const found = this.#tasks
      .map(({ answer }) => answer)
      .filter(Boolean)
      .join("\n\n");
    for (const task of this.#open()) {
      const step = readStep(task.text);
      const isWrite = step === "write";
      if (!isWrite && step !== "tell") continue;
      if (found === "") task.reason = "nothing was found to write or tell";
      else if (!isWrite) this.#finish(task, "");
      else if (!this.prompt.tools.has("artifacts"))
        task.reason = "the agent has no `artifacts` tool, which makes files";
      else {
        const [outcome] = yield [
          writeFile(this.job.title, found, /\bcsv\b/i.test(task.text), this.#findings),
        ];
        if (outcome?.failed === false)
          this.#finish(task, "The same stands in the file that comes with this answer.");
        else task.reason = outcome?.error ?? "the file could not be made";
      }
    }
  }

  /**
   * Why a clause was not done: a tool that it names and the rules cannot call, what was found out,
   * else the rules themselves.
   */
  #whyNot(text: string, reason: string): string {
    const connectors = [...this.prompt.tools.keys()].filter(
      (name) => !OWN_TOOLS.has(name) && text.includes(name),
    );
    if (connectors.length > 0)
      return `the built-in model calls no connectors, so ${connectors.map((name) => `\`${name}\``).join(", ")} was not called`;
    if (reason) return reason;
    if (/\b(?:web|internet|online|browse)\b|https?:\/\//i.test(text))
      return "the built-in model does not use the web, whatever tools the agent has";
    return "the built-in rule-based model cannot do this by itself";
  }

  /** Ticks what was done, and puts the answer together. */
  *close(files: Files): Steps<RunAnswer> {
    const todo = this.#todo();
    if (todo.length > 0) yield todo;
    const answers = this.#tasks.map(({ answer }) => answer).filter(Boolean);
    const open = this.#open();
    const reasons = open.map(
      ({ text, reason }) => `- ${quote(text)}: ${this.#whyNot(text, reason)}`,
    );
    const sources = this.#sources.size > 0 ? [`Source: ${[...this.#sources].join("; ")}.`] : [];
    if (this.#tasks.length === 0) reasons.push("- Nothing was asked for.");
    const lead =
      answers.length > 0
        ? "Not done:"
        : "This run used `builtin/offline`, a model of rules without knowledge of the world, and it cannot answer this by itself:";
    const there =
      files.absent.length > 0 && files.all.length > 0
        ? [
            `The workspace has: ${files.all
              .slice(0, 20)
              .map((path) => `\`${path}\``)
              .join(", ")}.`,
          ]
        : [];
    const text = [
      ...answers,
      ...(reasons.length > 0 ? [[lead, ...reasons].join("\n"), ...there] : []),
      ...sources,
      ...(answers.length === 0 ? [CAN] : []),
    ].join("\n\n");
    return { text, findings: this.#findings, isWhole: this.#tasks.length > 0 && open.length === 0 };
  }
}
