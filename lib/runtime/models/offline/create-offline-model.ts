import "server-only";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { z } from "zod";
import { generateFromStream } from "../generate-from-stream";
import { estimateTokens } from "../read-turn";
import { answerFromInput } from "./answer-from-input";
import { answerFromTable } from "./answer-from-table";
import { answerFromTexts } from "./answer-from-texts";
import { draftAgent } from "./draft-agent";
import { editAgent } from "./edit-agent";
import { fitOutput } from "./fit-output";
import { call, type OfflineCall, type OfflineTurn, say } from "./offline-turn";
import { pickFiles } from "./pick-files";
import { type Job, readJob, todoOf } from "./read-job";
import { type ReadPrompt, readPrompt } from "./read-prompt";
import { type RunState, readState } from "./run-state";

/**
 * `builtin/offline`: a language model of rules, which needs no network and no weights. It sees what any model sees, the prompt and
 * the tools, and gives the same answer to the same prompt. Its usage is counted at one token for four characters.
 */
export function createOfflineModel(): LanguageModelV3 {
  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "builtin",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    doStream: async (options) => {
      options.abortSignal?.throwIfAborted();
      return { stream: toStream(toParts(decideTurn(options), options), options.abortSignal) };
    },
  };
  return model;
}

const PARTS_PER_PULL = 8;

/** Gives parts as they are asked for, so that a reader who stops, stops the model. */
function toStream(parts: Iterator<LanguageModelV3StreamPart>, signal: AbortSignal | undefined): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      for (let given = 0; given < PARTS_PER_PULL; given += 1) {
        const { done, value } = parts.next();
        if (done) return controller.close();
        controller.enqueue(value);
      }
    },
  });
}

function* toParts(turn: OfflineTurn, options: LanguageModelV3CallOptions): Generator<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings: [] };
  yield* block("reasoning", turn.reasoning);
  yield* block("text", turn.text);
  // Ids need to differ from those of earlier turns, and to be the same when the step runs again.
  const turnNumber = options.prompt.length;
  let written = turn.reasoning.length + turn.text.length;
  for (const [index, call] of turn.calls.entries()) {
    const id = `call_${turnNumber}_${index + 1}`;
    const input = JSON.stringify(call.input);
    written += input.length;
    yield { type: "tool-input-start", id, toolName: call.name };
    yield { type: "tool-input-delta", id, delta: input };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: call.name, input };
  }
  const finished = turn.calls.length > 0 ? "tool-calls" : "stop";
  const input = JSON.stringify([options.prompt, options.tools ?? []]).length;
  yield {
    type: "finish",
    finishReason: { unified: finished, raw: finished },
    usage: {
      inputTokens: { total: estimateTokens(input), noCache: estimateTokens(input), cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: estimateTokens(written), text: estimateTokens(written), reasoning: undefined },
    },
  };
}

function* block(kind: "reasoning" | "text", text: string): Generator<LanguageModelV3StreamPart> {
  if (text === "") return;
  yield { type: `${kind}-start`, id: kind };
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]) yield { type: `${kind}-delta`, id: kind, delta: word };
  yield { type: `${kind}-end`, id: kind };
}

/** What the rules do next, by the tools that they are shown and what was said and done. */
export function decideTurn(options: LanguageModelV3CallOptions): OfflineTurn {
  const prompt = readPrompt(options);
  if (prompt.tools.has("edit_agent") && prompt.block("current_agent") !== null) return decideEdit(prompt);
  if (prompt.tools.has("create_agent") && (prompt.tools.size === 1 || options.toolChoice?.type === "tool")) return decideCreation(prompt);
  if (prompt.tools.has("create_agent") || prompt.tools.has("list_agents")) return decideSuperTurn(prompt) ?? answerRun(prompt);
  return answerRun(prompt);
}

function decideCreation(prompt: ReadPrompt): OfflineTurn {
  const last = prompt.done.at(-1);
  if (last && !last.failed) return say("The agent is ready.");
  // The rules would propose the same again; the second time they keep to what cannot be wrong.
  if (prompt.done.length > 1) return say("The built-in model could not make an agent that the service accepts from this request.");
  const draft = draftAgent([...prompt.earlier, prompt.request], prompt.block("models"));
  const input = last ? { ...draft.agent, config: { version: 1 } } : draft.agent;
  return call([{ name: "create_agent", input }], draft.plan);
}

function decideEdit(prompt: ReadPrompt): OfflineTurn {
  const last = prompt.done.at(-1);
  if (last && !last.failed) return say(summaryOf(last.input) ?? "The agent was changed.");
  if (last && !isOvertaken(last.output)) return say("The built-in model could not make that change in a way that the service accepts.");
  const edit = editAgent(prompt.block("current_agent") ?? "{}", prompt.request, prompt.block("models"));
  return edit.change === null ? say(edit.explanation) : call([{ name: "edit_agent", input: edit.change }]);
}

/** Somebody else changed the agent meanwhile: the prompt shows it anew, and the same request is worked out on that. */
function isOvertaken(output: unknown): boolean {
  return typeof output === "object" && output !== null && "agent_changed" in output;
}

function summaryOf(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("summary" in input)) return null;
  return typeof input.summary === "string" ? input.summary : null;
}

/** The next turn of a run: plan and look around, compute or read, then answer. */
function answerRun(prompt: ReadPrompt): OfflineTurn {
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

/** Closes the todo list and makes the report, where they are wanted and not done; then speaks. */
function finishRun(job: Job, state: RunState, text: string): OfflineTurn {
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

const agentsSchema = z.object({ agents: z.array(z.object({ agent_id: z.string(), name: z.string(), description: z.string().nullish() })) });
const CREATE = /\b(?:create|make|build|set up|design)\b.{0,40}\b(?:agent|assistant|bot)\b/i;
const RUN = /\b(?:run|start|ask|use|let|have)\b/i;
const LIST = /\b(?:list|which|what|show)\b.{0,30}\bagents?\b/i;

/** What the super-agent does about agents: list, create, run. Null when the request is about something else. */
function decideSuperTurn(prompt: ReadPrompt): OfflineTurn | null {
  const last = prompt.done.at(-1);
  if (CREATE.test(prompt.request) && prompt.tools.has("create_agent")) {
    if (last)
      return say(
        last.failed
          ? `The agent could not be made. ${describeOutput(last.output)}`
          : `The agent was made.\n\n${describeOutput(last.output)}`,
      );
    return call([{ name: "create_agent", input: { request: prompt.request } }]);
  }
  const wantsRun = RUN.test(prompt.request) && /\bagents?\b/i.test(prompt.request) && prompt.tools.has("run_agent");
  if (!wantsRun && !LIST.test(prompt.request)) return null;
  const listed = prompt.done.find((done) => done.name === "list_agents");
  if (!listed) return prompt.tools.has("list_agents") ? call([{ name: "list_agents", input: {} }]) : null;
  const agents = agentsSchema.safeParse(listed.output).data?.agents ?? [];
  if (!wantsRun)
    return say(
      agents.length === 0
        ? "The account has no agents."
        : agents.map(({ name, description }) => `- **${name}**${description ? `: ${description}` : ""}`).join("\n"),
    );
  const ran = prompt.done.find((done) => done.name === "run_agent");
  if (ran) return say(ran.failed ? `The run failed. ${describeOutput(ran.output)}` : describeOutput(ran.output));
  const agent =
    agents.find(({ name }) => prompt.request.toLowerCase().includes(name.toLowerCase())) ?? (agents.length === 1 ? agents[0] : undefined);
  if (!agent) return say(`Which agent should run? There are: ${agents.map(({ name }) => name).join(", ") || "none"}.`);
  return call([{ name: "run_agent", input: { agent_id: agent.agent_id, input: { request: prompt.request } } }]);
}

function describeOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const parsed = z.object({ text: z.string().optional(), error: z.string().optional(), name: z.string().optional() }).safeParse(output);
  return (
    parsed.data?.text ??
    parsed.data?.error ??
    (parsed.data?.name ? `**${parsed.data.name}**` : `\`\`\`json\n${JSON.stringify(output, null, 1).slice(0, 4000)}\n\`\`\``)
  );
}
