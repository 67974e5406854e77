import "server-only";
import { call, type OfflineCall, type OfflineTurn, say } from "./offline-turn";
import { type Job, todoOf } from "./read-job";
import type { RunState } from "./run-state";

/** Closes the todo list and makes the report, where they are wanted and not done; then speaks. */
export function finishRun(job: Job, state: RunState, text: string): OfflineTurn {
  const calls: OfflineCall[] = [];
  if (job.report !== null && job.tools.has("artifacts") && state.artifact === null) calls.push(reportCall(job, text));
  const todo = todoOf(job);
  if (todo !== null && state.todos === 1) calls.push({ name: "todo", input: { items: todo.map((item) => ({ text: item, done: true })) } });
  if (calls.length > 0) return call(calls);
  if (state.artifact === "made") return say(`${text}\n\nThe same stands in the file that comes with this answer.`);
  if (state.artifact === "failed") return say(`${text}\n\nThe file that was wanted could not be made.`);
  return say(text);
}

function reportCall(job: Job, text: string): OfflineCall {
  const title = (job.agentName ?? job.request.split("\n")[0] ?? "Report").slice(0, 80).trim() || "Report";
  const slug = title
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .toLowerCase();
  const table = job.report === "csv" ? firstTableAsCsv(text) : null;
  if (table !== null) return { name: "artifacts", input: { title, name: `${slug || "table"}.csv`, type: "text/csv", content: table } };
  return { name: "artifacts", input: { title, name: `${slug || "report"}.md`, type: "text/markdown", content: `# ${title}\n\n${text}\n` } };
}

/** The first Markdown table of the answer as CSV. A cell cannot start a formula in a spreadsheet. */
function firstTableAsCsv(text: string): string | null {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("| "));
  if (start < 0) return null;
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  const rows = lines.slice(start, end < 0 ? undefined : end).filter((_, index) => index !== 1);
  return `${rows.map((row) => row.slice(2, -2).split(" | ").map(toCell).join(",")).join("\n")}\n`;
}

function toCell(cell: string): string {
  const plain = cell.replace(/\\([|\\`!<[\]])/g, "$1").trim();
  const safe = /^[=+@]|^-(?!\d)/.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
