import "server-only";
import { seenVersion } from "@/lib/domain/builds/authorize-build";
import { draftOf, isProposal, isRepeated, propose } from "@/lib/domain/builds/build-draft";
import { buildTools } from "@/lib/domain/builds/build-prompt";
import { AgentChanged, agentChangedResult } from "@/lib/domain/builds/edit-agent";
import { type Ending, endBuild } from "@/lib/domain/builds/end-build";
import { lintOf, strangeHosts } from "@/lib/domain/builds/lint-draft";
import { runCases } from "@/lib/domain/builds/run-cases";
import { tryAgent } from "@/lib/domain/builds/try-agent";
import type { LoadedAgent, LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { filesPort } from "@/lib/domain/execution/tools/files-port";
import { accountServers, listServers } from "@/lib/domain/execution/tools/list-servers";
import { connectorPort } from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { MessagesWait } from "@/lib/domain/runs/settle-run";
import { DRAFTED_AGENT_KEYS } from "@/lib/model/agent/agent-fields";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { type NewCase, newCaseSchema } from "@/lib/model/evaluation/cases";
import { toSnakeCase } from "@/lib/model/fields/field-table";
import { isJsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import {
  FINISH_TOOL,
  type FinishArgs,
  LIST_VERSIONS_TOOL,
  READ_CONNECTOR_TOOL,
  READ_GUIDE_TOOL,
  READ_WORKSPACE_TOOL,
  TRY_AGENT_TOOL,
} from "@/lib/runtime/prompts/agent-tools";
import { GUIDE_TOPICS, guideOf } from "@/lib/runtime/prompts/guides";
import { containerSettings } from "@/lib/runtime/python/container-process";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";
import { readFile } from "@/lib/runtime/tools/read-file";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";
import { findTemplate, templates } from "@/lib/templates/templates";

/**
 * Does what a build's model calls, which `authorizeBuild` has let pass. What does not fit goes back
 * to the model as the tool's result, so that it can correct it; what it proposes is a draft until
 * the run ends.
 */
export async function applyBuild(
  run: LoadedRun,
  call: ToolCall,
  step: RunStep,
): Promise<ToolResult | "run-ended"> {
  if (isProposal(call.name)) return applyProposal(run, call, step);
  if (call.name === FINISH_TOOL.name) return finish(run, call, step);
  if (call.name === TRY_AGENT_TOOL.name) return tryAgent(run, call, step);
  const read = await readForBuild(run, call, step.signal);
  if (read) return read;
  const names = buildTools(run).map(({ name }) => name);
  return refused(
    `There is no tool ${JSON.stringify(call.name)} here. There are ${names.join(", ")}.`,
  );
}

async function applyProposal(
  run: LoadedRun,
  call: ToolCall,
  step: RunStep,
): Promise<ToolResult | "run-ended"> {
  if (run.agent && seenVersion(run, call) !== run.agent.currentVersionId)
    return agentChangedResult();
  const before = await draftOf(run);
  // Its model has nothing more to change, and no word to end with.
  if (
    before &&
    isRepeated(before, call) &&
    !isFollowedByFinish(run, call) &&
    !(await strangeHosts(run, before))
  )
    return end(run, call, step, { ...NOTHING_MORE, outcome: "built", text: "" });
  const proposed = await propose(run, before, call);
  if (!proposed.ok) return refused(proposed.error, proposed.problems);
  const { problems, warnings, needs } = await lintOf(run, proposed.draft);
  const lacks = [
    ...problems,
    ...warnings,
    ...needs.map(({ text }) => `To be added by the person: ${text}`),
  ];
  const note = `Call ${FINISH_TOOL.name} to store it, or change it further.`;
  return {
    succeeded: true,
    output: { draft: "accepted", ...(lacks.length > 0 && { lacks }), note },
  };
}

function isFollowedByFinish(run: LoadedRun, call: ToolCall): boolean {
  const calls = run.transcript.turns
    .flatMap(({ content }) => content)
    .filter((part) => part.type === "tool-call");
  return calls
    .slice(calls.findIndex((part) => part.toolCallId === call.toolCallId))
    .some((part) => part.toolName === FINISH_TOOL.name);
}

const NOTHING_MORE = { assumptions: [], left_out: [], needs: [], question: null, cases: [] };

async function finish(
  run: LoadedRun,
  call: ToolCall,
  step: RunStep,
): Promise<ToolResult | "run-ended"> {
  const parsed = FINISH_TOOL.schema.safeParse(call.input);
  if (!parsed.success) {
    const problems = parsed.error.issues
      .slice(0, 10)
      .map(({ path, message }) => `${path.join(".") || FINISH_TOOL.name}: ${message}`);
    return refused("This does not fit. Correct it and call the tool again.", problems);
  }
  const problem = await cannotEnd(run, call, parsed.data);
  if (problem) return refused(problem);
  const lacks = parsed.data.outcome === "built" ? await untoldProblems(run) : [];
  if (lacks.length > 0)
    return { succeeded: false, output: { error: LOOK_FIRST, problems: lacks, draft_stands: true } };
  const cases = await readCases(run, parsed.data);
  if (!cases.ok) return refused("Correct the cases and call the tool again.", cases.problems);
  const worse = parsed.data.outcome === "built" ? await untoldRegressions(run, call, step) : [];
  if (worse.length > 0)
    return { succeeded: false, output: { error: WORSE, problems: worse, draft_stands: true } };
  const { question, text, ...rest } = parsed.data;
  const asked = rest.outcome === "question" ? question || text : null;
  const ending = { ...rest, text: text.trim(), question: asked, cases: cases.cases };
  return end(run, call, step, ending);
}

const WORSE =
  "The draft stands, but these cases of the agent passed before it and do not now. Correct it; " +
  "or, where the change wants it so, give the case anew in cases under its name, or call " +
  `${FINISH_TOOL.name} again as it is.`;

/** What a draft makes worse; its model is told once. */
async function untoldRegressions(run: LoadedRun, call: ToolCall, step: RunStep): Promise<string[]> {
  const told = [...run.transcript.results.values()].some(
    ({ name, output }) => name === FINISH_TOOL.name && JSON.stringify(output).includes(WORSE),
  );
  const draft = told ? null : await draftOf(run);
  const runs = draft && (await runCases(run, draft, step, call.toolCallId));
  return (runs?.regressions ?? []).map(({ name, problems }) => `${name}: ${problems.join("; ")}`);
}

type ReadCases = { ok: true; cases: NewCase[] } | { ok: false; problems: string[] };

/** The cases that a build's model wrote, where they can be kept. */
async function readCases(run: LoadedRun, { outcome, cases }: FinishArgs): Promise<ReadCases> {
  if (outcome !== "built" || cases.length === 0) return { ok: true, cases: [] };
  const { inputs } = effectiveConfig(
    ((await draftOf(run))?.state ?? run.agent)?.config ?? { version: 1 },
  );
  const read: NewCase[] = [];
  const problems: string[] = [];
  for (const [index, written] of cases.entries()) {
    const parsed = newCaseSchema.safeParse(written);
    const misfits =
      parsed.success && inputs ? validateAgainst(inputs, parsed.data.input, "input") : [];
    const issues = parsed.success
      ? misfits
      : parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
    problems.push(
      ...issues.slice(0, 5).map(({ path, message }) => `cases.${index}.${path}: ${message}`),
    );
    if (parsed.success) read.push(parsed.data);
  }
  return problems.length > 0
    ? { ok: false, problems: problems.slice(0, 10) }
    : { ok: true, cases: read };
}

const LOOK_FIRST =
  "The draft stands, but look at this once before it is stored. Correct it, or call " +
  `${FINISH_TOOL.name} again and say in needs or left_out what is missing.`;

/**
 * What cannot work in a draft that ends in the turn in which it was made: its model has not seen it
 * yet. It is told once.
 */
async function untoldProblems(run: LoadedRun): Promise<string[]> {
  const draft = await draftOf(run);
  if (!draft) return [];
  const told = JSON.stringify(
    [...run.transcript.results.values()]
      .filter(({ name }) => name === FINISH_TOOL.name)
      .map(({ output }) => output),
  );
  const last = run.transcript.turns.at(-1)?.content ?? [];
  const isNew = last.some((part) => part.type === "tool-call" && isProposal(part.toolName));
  return isNew && !told.includes("draft_stands") ? (await lintOf(run, draft)).problems : [];
}

/** Why a build cannot end like this; null when it can. */
async function cannotEnd(
  run: LoadedRun,
  call: ToolCall,
  { outcome, text, question }: FinishArgs,
): Promise<string | null> {
  if (outcome === "built") {
    if (isLastRefused(run, call))
      return "The last draft was refused, so nothing was ended. Correct it first.";
    const draft = await draftOf(run);
    return draft
      ? await strangeHosts(run, draft)
      : "There is no draft to store. Draft it first, or finish with question, refused or " +
          "unchanged.";
  }
  if (outcome === "unchanged")
    return run.agent
      ? null
      : "There is no agent that could stay as it is. Finish with question or refused.";
  return text.trim() || question ? null : "text: say it to the person in words.";
}

/**
 * Whether the proposal before this call did not fit: its model may not know yet that it ended with
 * an older one.
 */
function isLastRefused(run: LoadedRun, call: ToolCall): boolean {
  const proposals = run.transcript.turns
    .flatMap(({ content }) => content)
    .filter(
      (part) =>
        part.type === "tool-call" &&
        part.toolCallId !== call.toolCallId &&
        isProposal(part.toolName),
    );
  const last = proposals.at(-1);
  return (
    last?.type === "tool-call" && run.transcript.resultOf(last.toolCallId)?.succeeded === false
  );
}

async function end(
  run: LoadedRun,
  call: ToolCall,
  step: RunStep,
  ending: Ending,
): Promise<ToolResult | "run-ended"> {
  try {
    const line = {
      type: "tool.completed",
      tool_call_id: call.toolCallId,
      name: call.name,
      status: "succeeded",
    } as const;
    await endBuild(run, step.log, ending, { lines: [line], by: call, signal: step.signal });
  } catch (error) {
    if (error instanceof AgentChanged) return agentChangedResult();
    if (error instanceof MessagesWait) return refused(SAID_MEANWHILE);
    throw error;
  }
  return "run-ended";
}

const SAID_MEANWHILE =
  "Nothing was stored yet: the person has said something meanwhile, which follows. Heed it, " +
  "and end again.";

function refused(error: string, problems: readonly string[] = []): ToolResult {
  return { succeeded: false, output: problems.length > 0 ? { error, problems } : { error } };
}

/** What a build's model may look at while it works; null for a call of anything else. */
async function readForBuild(
  run: LoadedRun,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult | null> {
  if (call.name === LIST_VERSIONS_TOOL.name && run.agent)
    return listVersions(run, run.agent, call, signal);
  if (call.name === READ_GUIDE_TOOL.name) return readGuide(call);
  if (call.name === READ_WORKSPACE_TOOL.name) return readWorkspace(run, call, signal);
  if (call.name === READ_CONNECTOR_TOOL.name) return readConnector(run, call, signal);
  return null;
}

function readGuide(call: ToolCall): ToolResult {
  const parsed = READ_GUIDE_TOOL.schema.safeParse(call.input);
  if (!parsed.success) return failed(`topic: must be one of ${GUIDE_TOPICS.join(", ")}.`);
  const { topic, template: name } = parsed.data;
  const guide = guideOf(topic, containerSettings() !== null);
  if (topic !== "example") return { succeeded: true, output: guide };
  const names = templates().map((template) => `${template.name}: ${template.title}`);
  if (name === undefined)
    return { succeeded: true, output: `${guide}\n\nTemplates:\n${names.join("\n")}` };
  const template = findTemplate(name);
  return template
    ? { succeeded: true, output: template.content }
    : failed(`template: must be one of\n${names.join("\n")}`);
}

const FILES_SHOWN = 100;
const HEADS_SHOWN = 10;
const HEAD_MAX_BYTES = 600;
const FILE_MAX_BYTES = 8_000;

/**
 * A workspace's files, as any run that is bound to it reads them; no secret of the account is left
 * in what is shown.
 */
async function readWorkspace(
  run: LoadedRun,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = READ_WORKSPACE_TOOL.schema.safeParse(call.input);
  if (!parsed.success)
    return failed(
      "The arguments do not fit: name is the workspace's name, path that of one of its files.",
    );
  const { name, path } = parsed.data;
  const workspace = await prisma().workspace.findFirst({
    select: { id: true },
    where: { accountId: run.accountId, name },
    orderBy: { id: "desc" },
  });
  const port =
    workspace && filesPort({ ...run, workspaceId: workspace.id, earlierIn: null }, call.toolCallId);
  if (!port) return failed("There is no workspace of this name.");
  const { results } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const reader = { accountId: run.accountId, signal };
  const begin = async (file: string, maxBytes: number) => {
    const { text, note } = await readFile(
      port,
      { path: file, offset: 0, max_bytes: maxBytes },
      reader,
    );
    return results.redact(String(text ?? note));
  };
  // One that is broken says so in place of its beginning.
  const head = (file: string) =>
    begin(file, HEAD_MAX_BYTES).catch((error: unknown) => {
      if (error instanceof ToolFailure) return error.message;
      throw error;
    });
  try {
    if (path !== undefined)
      return { succeeded: true, output: { path, text: await begin(path, FILE_MAX_BYTES) } };
    const files = (await port.list("")).slice(0, FILES_SHOWN);
    const shown = files.map(async (file, index) => ({
      ...file,
      ...(index < HEADS_SHOWN && { begins: await head(file.path) }),
    }));
    return { succeeded: true, output: { files: await Promise.all(shown) } };
  } catch (error) {
    if (error instanceof ToolFailure) return failed(error.message);
    throw error;
  }
}

const TOOL_MAX_CHARACTERS = 300;

/** The tools of an MCP server, as a run of an agent with it is given them. */
async function readConnector(
  run: LoadedRun,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = READ_CONNECTOR_TOOL.schema.safeParse(call.input);
  if (!parsed.success)
    return failed("url: must be the address of one of the account's MCP servers.");
  const servers = await accountServers(run.surroundings);
  const server = servers.get(parsed.data.url);
  if (!server) {
    const known = [...servers.keys()].join(", ");
    return failed(
      "url: must be " +
        `${known ? `one of ${known}` : "an MCP server of the account, which has none"}. Another ` +
        "one's tools are known once its owner has signed in to it, or an agent uses it.",
    );
  }
  const { tools, unavailable } = await listServers(
    run.surroundings,
    [server],
    connectorPort(run),
    signal,
  );
  if (unavailable[0]) return failed(unavailable[0].reason);
  const prefix = `${server.name}__`;
  return {
    succeeded: true,
    output: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name: name.slice(prefix.length),
        description: description.slice(0, TOOL_MAX_CHARACTERS).toWellFormed(),
        arguments: Object.keys(isJsonObject(inputSchema.properties) ? inputSchema.properties : {}),
      })),
    },
  };
}

const VERSIONS_SHOWN = 20;
const DIFF_MAX_CHARACTERS = 20_000;

async function listVersions(
  run: LoadedRun,
  agent: LoadedAgent,
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  const parsed = LIST_VERSIONS_TOOL.schema.safeParse(call.input);
  if (!parsed.success) return failed("compare_with: must be the number of a version.");
  const select = {
    number: true,
    version: true,
    source: true,
    releaseNote: true,
    createdAt: true,
  } as const;
  const rows = await prisma().agentVersion.findMany({
    select,
    where: { agentId: agent.id, agent: { accountId: run.accountId } },
    orderBy: { number: "desc" },
    take: VERSIONS_SHOWN,
  });
  const versions = rows.map(({ number, version, source, releaseNote, createdAt }) => ({
    number,
    version,
    source,
    note: releaseNote,
    created_at: createdAt.toISOString(),
  }));
  const number = parsed.data.compare_with;
  if (number === undefined) return { succeeded: true, output: { versions } };
  const old = await prisma().agentVersion.findFirst({
    where: { agentId: agent.id, number, agent: { accountId: run.accountId } },
  });
  if (!old) return failed(`The agent has no version number ${number}.`);
  const now = (await draftOf(run))?.state ?? agent;
  try {
    const texts = { before: partsOf(old), after: partsOf(now) };
    const { accountId: account } = run;
    const diff = await inTextWorker("describe-diff", texts, { account, signal });
    return {
      succeeded: true,
      output: { versions, changed_since: { number, diff: cut(diff) } },
    };
  } catch (error) {
    if (!(error instanceof TextWorkEnded)) throw error;
    return failed("The two versions differ too much to be set against each other.");
  }
}

/** What a person is shown of a change: the config by its text. */
const SHOWN_KEYS = DRAFTED_AGENT_KEYS.filter((key) => key !== "config" && key !== "keyOrder");

type Parts = Partial<Record<(typeof SHOWN_KEYS)[number], unknown>>;

function partsOf(parts: Parts): [string, string][] {
  return SHOWN_KEYS.map((key) => [toSnakeCase(key), textOfPart(parts[key])]);
}

function textOfPart(part: unknown): string {
  if (part === null || part === undefined) return "";
  return typeof part === "string" ? part : JSON.stringify(part, null, 1);
}

function cut(text: string): string {
  return text.length <= DIFF_MAX_CHARACTERS
    ? text || "Nothing."
    : `${text.slice(0, DIFF_MAX_CHARACTERS)}\n… (cut)`;
}

function failed(error: string): ToolResult {
  return { succeeded: false, output: { error } };
}
