import "server-only";
import { answerFromInput } from "./answer-from-input";
import { answerFromTable } from "./answer-from-table";
import { answerFromTexts } from "./answer-from-texts";
import { finishRun } from "./finish-run";
import { fitOutput } from "./fit-output";
import { call, type OfflineCall, type OfflineTurn } from "./offline-turn";
import { pickFiles } from "./pick-files";
import { type Job, readJob, todoOf } from "./read-job";
import type { ReadPrompt } from "./read-prompt";
import { type RunState, readState } from "./run-state";

/** The next turn of a run: plan and look around, compute or read, then answer. */
export function answerRun(prompt: ReadPrompt): OfflineTurn {
  const job = readJob(prompt);
  const state = readState(prompt);
  const opening = openingCalls(job, state);
  if (opening.length > 0) return call(opening, describeApproach(job));
  const files = pickFiles(job, state.files ?? []);
  const turn = answerFromTable(job, state, files) ?? answerFromTexts(job, state, files) ?? answerFromInput(job, state, files);
  if (turn.calls.length > 0) return turn;
  const last = finishRun(job, state, turn.text);
  const schema = prompt.block("output_schema");
  return schema !== null && last.calls.length === 0 ? { ...last, text: fitOutput(schema, turn.text) } : last;
}

function openingCalls(job: Job, state: RunState): OfflineCall[] {
  const calls: OfflineCall[] = [];
  const todo = todoOf(job);
  if (todo !== null && state.todos === 0 && job.tools.has("todo")) {
    calls.push({ name: "todo", input: { items: todo.map((text) => ({ text, done: false })) } });
  }
  if (job.hasWorkspace && state.files === null) calls.push({ name: "workspace_files", input: { action: "list" } });
  return calls;
}

function describeApproach(job: Job): string {
  const parts = [
    ...(job.hasWorkspace ? ["look at the files of the workspace"] : []),
    ...(job.tools.has("run_javascript") ? ["compute what is asked with code"] : []),
    ...(job.report !== null && job.tools.has("artifacts") ? ["write the report as a file"] : []),
    "answer",
  ];
  return `Plan: ${parts.join(", then ")}.`;
}
