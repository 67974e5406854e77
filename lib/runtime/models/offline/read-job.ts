import "server-only";
import { readInput } from "./read-input";
import type { ReadPrompt } from "./read-prompt";
import { readSkill } from "./read-skill";
import type { InlineTables } from "./table/load-code";
import { wantsReport } from "./wants-report";
import { sentencesOf } from "./words";

/** What a run is to do, as the rules see it. */
export interface Job {
  /** What the person asks now; and asked before, oldest first. */
  request: string;
  earlier: string[];
  material: { name: string; text: string }[];
  tables: InlineTables;
  steps: string[];
  purpose: string;
  /** Wanted besides the answer. */
  report: "markdown" | "csv" | null;
  hasWorkspace: boolean;
  tools: ReadonlySet<string>;
  agentName: string | null;
}

const CSV_FILE = /\b(?:csv|spreadsheet)\b.{0,20}\b(?:export|artifact|download)|\b(?:export|save|download)\b.{0,40}\bcsv\b/i;
const TODO_MAX = 10;

export function readJob(prompt: ReadPrompt): Job {
  const input = readInput(prompt.request);
  const skill = readSkill(prompt.block("skill") ?? "");
  const wanted = `${input.text}\n${skill.steps.join("\n")}\n${skill.purpose}`;
  const workspace = prompt.block("workspace") ?? "";
  return {
    request: input.text,
    earlier: prompt.earlier.map((message) => readInput(message).text),
    material: input.material,
    tables: input.tables,
    steps: skill.steps,
    purpose: skill.purpose,
    report: CSV_FILE.test(input.text) ? "csv" : wantsReport(wanted) ? "markdown" : null,
    hasWorkspace: prompt.tools.has("workspace_files") && !workspace.startsWith("none"),
    tools: prompt.tools,
    agentName: /^Name: (.+)$/m.exec(prompt.block("agent") ?? "")?.[1] ?? null,
  };
}

/** The todo list of a job of several steps; null when one step is all. */
export function todoOf(job: Job): string[] | null {
  const steps = job.steps.length > 1 ? job.steps : sentencesOf(job.request);
  return steps.length > 1 ? steps.slice(0, TODO_MAX).map((step) => (step.length > 200 ? `${step.slice(0, 199)}…` : step)) : null;
}
