import "server-only";
import { FIRST_VERSION, insertAgent } from "@/lib/domain/agents/insert-agent";
import { type BuildDraft, changesOf, draftOf } from "@/lib/domain/builds/build-draft";
import { AgentChanged, editAgent } from "@/lib/domain/builds/edit-agent";
import { lintOf, strangeHosts } from "@/lib/domain/builds/lint-draft";
import { type CaseRuns, runCases, wordsOfCases } from "@/lib/domain/builds/run-cases";
import { storeCases } from "@/lib/domain/datasets/agent-cases";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { turnText } from "@/lib/domain/execution/run/transcript";
import type { ToolCall } from "@/lib/domain/execution/tools/tool-call";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import { settleRun } from "@/lib/domain/runs/settle-run";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { NewCase } from "@/lib/model/evaluation/cases";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { RELEASE_NOTE_MAX_CHARACTERS } from "@/lib/model/limits";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { BuildReport } from "@/lib/model/run/run-result";
import { trimEnd } from "@/lib/model/text/trim";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";

/** How a build's model ended its work. */
export interface Ending extends Omit<BuildReport, "cases"> {
  /** Cases that its model wrote for the agent. */
  cases: NewCase[];
  /** What the person reads; the rest of the report is put into words below it. */
  text: string;
}

/**
 * Ends a build together with what it stores, and shows the outcome as its last message: all of it
 * becomes true at once, or nothing.
 * @param lines of the log that come before that message
 * @param spoken of the text, what the log has shown already
 * @param by the call that ends it, whose result is stored with the end
 * @throws AgentChanged when somebody else changed the agent meanwhile, and then nothing is stored
 * @throws RunFailure AGENT_BUILD_FAILED when the draft names hosts that only a file may have named,
 * when a person rejected what was to be stored, or there is no room for the agent
 */
export async function endBuild(
  run: LoadedRun,
  writer: RunLogWriter,
  ending: Ending,
  {
    lines = [],
    spoken = "",
    by = null,
    signal = writer.signal,
  }: {
    lines?: readonly RunEventBody[];
    spoken?: string;
    by?: ToolCall | null;
    /** Aborted when the run is cancelled or another process has it. */
    signal?: AbortSignal;
  } = {},
): Promise<void> {
  const draft = ending.outcome === "built" ? await draftOf(run) : null;
  if (draft === null) requireNoRejection(run);
  const strange = draft && (await strangeHosts(run, draft));
  if (strange) throw new RunFailure("AGENT_BUILD_FAILED", `Nothing was stored. ${strange}`);
  const step = { runId: run.id, log: writer, signal };
  const cases = draft && (await runCases(run, draft, step, by?.toolCallId ?? null));
  const { report, agent, store } = await planEnd(run, draft, ending, cases);
  const head = draft ? headOf(run, draft, report, ending.text) : ending.text;
  const setUp = draft && !run.agent ? setUpOf(draft.state) : [];
  const notes = [...notesOf(report, setUp, head + spoken), ...(cases ? [wordsOfCases(cases)] : [])];
  const text = [head, spoken, ...notes].filter(Boolean).join("\n\n");
  const shown = [head, ...notes].filter(Boolean).join("\n\n");
  const messageId = newId();
  const message: RunEventBody[] = [
    { type: "message.created", message_id: messageId, role: "assistant" },
    { type: "output_text.delta", message_id: messageId, delta: shown },
  ];
  const outcome = {
    status: "completed" as const,
    result: { text, ...agent, artifacts: [], build: report },
    agentId: agent.agent_id,
    lines: [...lines, ...(shown ? message : [])],
  };
  await settleRun(run.id, outcome, writer, async (tx) => {
    await store?.(tx);
    if (by) await storeEndingResult(tx, run, by, report);
  });
}

/** The ending call has succeeded: without its result the trace would show it as broken off. */
async function storeEndingResult(
  tx: Transaction,
  run: LoadedRun,
  { toolCallId, name }: ToolCall,
  { outcome }: BuildReport,
): Promise<void> {
  const turn = run.transcript.turnOf(toolCallId);
  if (!turn) throw new Error("the call that ends a build stands in none of its turns");
  await tx.query(
    `INSERT INTO run_tool_results (run_id, tool_call_id, turn, name, succeeded, output)
     VALUES ($1, $2, $3, $4, true, $5)`,
    [run.id, toolCallId, turn.turn, name, JSON.stringify({ outcome })],
  );
}

interface Plan {
  report: BuildReport;
  agent: { agent_id?: string; agent_name?: string };
  store?: (tx: Transaction) => Promise<void>;
}

/** What the end stores, and what it says of it. */
async function planEnd(
  run: LoadedRun,
  draft: BuildDraft | null,
  { text, cases: written, ...given }: Ending,
  cases: CaseRuns | null,
): Promise<Plan> {
  const counts = cases && { before: cases.before, after: cases.after, failed: cases.failed };
  const report = {
    ...(draft ? await withFindings(run, draft, given) : given),
    ...(counts && { cases: counts }),
  };
  const keep = (tx: Transaction, agentId: string) =>
    storeCases(tx, { accountId: run.accountId, agentId, source: "builder" }, written);
  if (run.agent && draft) {
    const { id } = run.agent;
    const plan = planEdit(run, run.agent, draft, report, text);
    return {
      ...plan,
      store: async (tx) => {
        await plan.store?.(tx);
        await keep(tx, id);
      },
    };
  }
  if (!draft)
    return {
      report,
      agent: run.agent ? { agent_id: run.agent.id, agent_name: run.agent.name } : {},
    };
  const agentId = newId();
  const origin = {
    agentId,
    accountId: run.accountId,
    runId: run.id,
    version: FIRST_VERSION,
    releaseNote: noteOf(run, draft, text),
  };
  return {
    report,
    agent: { agent_id: agentId, agent_name: draft.state.name },
    store: async (tx) => {
      await insertAgent(tx, origin, draft.state);
      await keep(tx, agentId);
    },
  };
}

function planEdit(
  run: LoadedRun,
  agent: LoadedAgent,
  draft: BuildDraft,
  report: BuildReport,
  text: string,
): Plan {
  const patch = changesOf(agent, draft);
  const named = { agent_id: agent.id, agent_name: draft.state.name };
  if (Object.keys(patch).length === 0)
    return { report: { ...report, outcome: "unchanged" as const }, agent: named };
  const note = noteOf(run, draft, text);
  return {
    report,
    agent: named,
    store: (tx: Transaction) => editAgent(tx, run, agent, patch, note),
  };
}

/**
 * What the version that a build stores is noted with: what the person gave, else the summary,
 * counted in code points as a person's is.
 */
function noteOf(run: LoadedRun, draft: BuildDraft, text: string): string | null {
  if (run.releaseNote !== null) return run.releaseNote;
  const note = draft.summary ?? text;
  const head = note.slice(0, 2 * RELEASE_NOTE_MAX_CHARACTERS);
  return [...head].slice(0, RELEASE_NOTE_MAX_CHARACTERS).join("") || null;
}

/** What the model said, and what the draft shows by itself. */
async function withFindings(
  run: LoadedRun,
  draft: BuildDraft,
  given: BuildReport,
): Promise<BuildReport> {
  const { problems, warnings, needs } = await lintOf(run, draft);
  const found = [...needs, ...problems.map((text) => ({ kind: "other" as const, text }))];
  return {
    ...given,
    left_out: joined(draft.leftOut, given.left_out),
    assumptions: joined(given.assumptions, [...warnings, ...askNotes(draft)]),
    needs: [
      ...given.needs,
      ...found.filter(({ text }) => !given.needs.some((need) => namesSame(need.text, text))),
    ],
  };
}

/**
 * Whether what a model says is needed is what was found: it names the secret, or the tool, of that
 * sentence.
 */
function namesSame(said: string, found: string): boolean {
  const name = /\bsecret ([A-Z][A-Z0-9_]*)|`([^`]+)`/.exec(found);
  return said === found || (name !== null && said.includes(name[1] ?? name[2] ?? found));
}

/** The sentence that a result begins with. */
function headOf(run: LoadedRun, draft: BuildDraft, report: BuildReport, text: string): string {
  if (text) return text;
  const { name, description } = draft.state;
  if (!run.agent) return `Created **${name}**${description ? `: ${description}` : "."}`;
  if (report.outcome === "unchanged") return "Nothing was changed: the agent is like that already.";
  return draft.summary ?? `Changed **${name}**.`;
}

/**
 * What a new agent has been given, line by line, as its config has it and no model says it: whoever
 * asked sees here what was understood otherwise.
 */
function setUpOf({ config, writeAutonomy }: AgentDraft): string[] {
  const {
    tools,
    model,
    fallback_models: fallbacks,
    permissions,
    output_schema: output,
    inputs,
    limits,
    model_settings: settings,
    starters,
  } = effectiveConfig(config);
  const named = [
    ...tools.builtin,
    ...[...tools.http, ...tools.mcp, ...tools.client].map(({ name }) => name),
    ...(tools.memory ? ["memory"] : []),
  ];
  const set = config.limits ?? {};
  const bounds = [
    set.max_steps === undefined ? "" : `${limits.max_steps} steps`,
    set.timeout_seconds === undefined ? "" : `${limits.timeout_seconds} seconds`,
    set.max_credits == null ? "" : `${limits.max_credits} credits`,
    set.approval_timeout_seconds === undefined
      ? ""
      : `${limits.approval_timeout_seconds} seconds for an approval`,
  ];
  const knobs = Object.entries(settings).flatMap(([key, value]) =>
    value === null ? [] : [`${key} ${value}`],
  );
  const lines: [title: string, items: readonly string[]][] = [
    ["Inputs", fieldsOf(inputs)],
    ["Output fields", fieldsOf(output)],
    ["Tools", named.length > 0 ? named : ["none"]],
    ["Runs Python", tools.python === "provider" ? ["on the servers of the model's provider"] : []],
    ["Reads without asking", tools.web.allowed_hosts],
    ["Asks before every call of", permissions.ask],
    ["Never calls", permissions.deny],
    ["May call without asking", permissions.allow],
    ["Limits", bounds.filter(Boolean)],
    ["Model", model === null ? [] : [model, ...fallbacks.map((fallback) => `else ${fallback}`)]],
    ["Settings of the model", knobs],
    ["Starters", starters.map((starter) => `“${starter}”`)],
    ["What it writes outside", [WRITES[writeAutonomy]]],
  ];
  return lines
    .filter(([, items]) => items.length > 0)
    .map(([title, items]) => `${title}: ${firstOf(items)}`);
}

const SHOWN_ITEMS = 20;
/** Of one item; a choice has its twenty values within. */
const SHOWN_CHARACTERS = 400;

/** Names are a model's own words: they stay on their line, and short. */
function firstOf(items: readonly string[]): string {
  const rest = items.length - SHOWN_ITEMS;
  const shown = items
    .slice(0, SHOWN_ITEMS)
    .map((item) => [...item.replace(/\s+/g, " ")].slice(0, SHOWN_CHARACTERS).join(""));
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const WRITES = {
  full_auto: "is not asked about",
  approval_required: "waits for your approval",
  blocked: "is blocked",
} as const;

/** The fields of a schema: `year (integer, required)`. */
function fieldsOf(schema: JsonObject | null): string[] {
  const required = Array.isArray(schema?.required) ? schema.required : [];
  return Object.entries(isJsonObject(schema?.properties) ? schema.properties : {}).map(
    ([name, field]) => {
      const { type, enum: choices } = isJsonObject(field) ? field : {};
      const kind = Array.isArray(choices)
        ? "one of " +
          firstOf(
            choices.map((choice) => (typeof choice === "string" ? choice : JSON.stringify(choice))),
          )
        : type === "string" || type === undefined
          ? ""
          : [type].flat().join(" or ");
      const notes = [kind, required.includes(name) ? "required" : ""].filter(Boolean);
      return notes.length > 0 ? `${name} (${notes.join("; ")})` : name;
    },
  );
}

/** What was set up and the report's lists in words, but for what the text says already. */
function notesOf(report: BuildReport, setUp: readonly string[], text: string): string[] {
  const list = (title: string, items: readonly string[]) => {
    const unsaid = items.filter((item) => !text.includes(item));
    return unsaid.length === 0 ? "" : `${title}:\n${unsaid.map((item) => `- ${item}`).join("\n")}`;
  };
  const notes = [
    list("Set up", setUp),
    list("Assumed", report.assumptions),
    list("Not set up", report.left_out),
    list(
      "Still needed",
      report.needs.map((need) => need.text),
    ),
    report.question !== null && !text.includes(report.question) ? report.question : "",
  ];
  return notes.filter(Boolean);
}

function joined(left: readonly string[], right: readonly string[]): string[] {
  return [...new Set([...left, ...right])];
}

/** What the person reads about connectors that a model wrote. */
function askNotes({ asked }: BuildDraft): string[] {
  if (asked.length === 0) return [];
  return [
    `A model wrote the connector ${asked.join(", ")}, so each of its calls waits for your ` +
      "approval. With the first one you can have it ask no more for that tool as it is; or take " +
      "the name out of permissions.ask.",
  ];
}

/**
 * A change that a person rejected, with none in its place, is a failure of what was asked for,
 * however its model words it.
 */
function requireNoRejection(run: LoadedRun): void {
  if (run.approvals.isAnyRejected)
    throw new RunFailure(
      "AGENT_BUILD_FAILED",
      "A person rejected the change that the model proposed. Nothing was stored.",
    );
}

/** A text asks when a sentence of it ends in a question mark. */
function asks(text: string): boolean {
  return text
    .split(/\s/)
    .some((word) => QUESTION_MARKS.includes(trimEnd(word, `"'”’»)]*_\``).at(-1) ?? " "));
}

const QUESTION_MARKS = "?？؟";

/** So often in a row a build's message may be cut off at its limit. */
const CUT_MAX = 3;
/** A model that never calls a tool is told once that words alone make nothing. */
const WORDS_MAX = 2;
const QUOTED_MAX_CHARACTERS = 500;

/**
 * Ends a build whose model said something and called nothing: its draft is stored, and without one
 * the text is a question or a refusal, which the person reads.
 * @returns not done: it said nothing at all, it was cut off, it has called no tool yet, or somebody
 * else changed the agent meanwhile; it is asked again
 * @throws RunFailure AGENT_BUILD_FAILED when it was cut off, or answered in words alone, too often
 */
export async function endSpokenBuild(run: LoadedRun, writer: RunLogWriter): Promise<TurnOutcome> {
  const last = run.transcript.last;
  const spoken = last ? turnText(last).trim() : "";
  const draft = await draftOf(run);
  const silent = run.transcript.sinceCall();
  if (last?.finishReason === "length") {
    const whole = silent.findLastIndex(({ finishReason }) => finishReason !== "length");
    if (silent.length - 1 - whole < CUT_MAX) return { done: false, calls: [] };
    return endOverdueBuild(run, writer, cutOff(last.model));
  }
  if (!draft && spoken === "") return { done: false, calls: [] };
  const isQuestion = asks(spoken);
  // Whoever calls tools says no by a call, or after one. Words alone are no refusal: most often the
  // server does not pass tools on.
  if (!draft && !isQuestion && silent.length === run.transcript.turns.length) {
    const said = silent.filter((turn) => turnText(turn).trim() !== "");
    if (said.length < WORDS_MAX) return { done: false, calls: [] };
    throw wordsAlone(last?.model ?? run.model, spoken);
  }
  const outcome = draft ? "built" : isQuestion ? "question" : "refused";
  const report = {
    assumptions: [],
    left_out: [],
    needs: [],
    question: outcome === "question" ? spoken : null,
    cases: [],
  };
  return endOrAskAgain(run, writer, { ...report, outcome, text: "" }, spoken);
}

function cutOff(model: string): RunFailure {
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `${model} was cut off at the limit of one message ${CUT_MAX} times before it called a tool. ` +
      "Nothing was stored; ask for less at once, or name a model with longer answers in " +
      "builder_model.",
  );
}

function wordsAlone(model: string, spoken: string): RunFailure {
  const words = [...spoken.replace(/\s+/g, " ")];
  const said = words.slice(0, QUOTED_MAX_CHARACTERS).join("");
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `${model} answered in words twice, although it was told to call a tool. Nothing was stored. ` +
      "Does this model, and its server, support tools? Name another in builder_model. It said: " +
      `${said}${words.length > QUOTED_MAX_CHARACTERS ? "…" : ""}`,
  );
}

/**
 * Ends a build that has no turn left by storing its draft. @throws RunFailure AGENT_BUILD_FAILED
 * without one
 */
export async function endOverdueBuild(
  run: LoadedRun,
  writer: RunLogWriter,
  failure: RunFailure,
): Promise<TurnOutcome> {
  if (!(await draftOf(run))) throw failure;
  const note =
    "The model came to no end of its own: this is its last draft, which was checked but not " +
    "finished.";
  return endOrAskAgain(
    run,
    writer,
    {
      outcome: "built",
      text: "",
      assumptions: [note],
      left_out: [],
      needs: [],
      question: null,
      cases: [],
    },
    "",
  );
}

async function endOrAskAgain(
  run: LoadedRun,
  writer: RunLogWriter,
  ending: Ending,
  spoken: string,
): Promise<TurnOutcome> {
  try {
    await endBuild(run, writer, ending, { spoken });
    return { done: true };
  } catch (error) {
    if (error instanceof AgentChanged) return { done: false, calls: [] };
    throw error;
  }
}
