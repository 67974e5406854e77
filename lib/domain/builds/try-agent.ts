import "server-only";
import { draftOf } from "@/lib/domain/builds/build-draft";
import { type Charge, chargeRun } from "@/lib/domain/credits/ledger";
import { BudgetShort, chargeOf, settleCut } from "@/lib/domain/execution/pay/paid-call";
import { callPaidModel, callPrices, usedTokens } from "@/lib/domain/execution/pay/paid-model-call";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { filesPort } from "@/lib/domain/execution/tools/files-port";
import {
  connectorPort,
  ownTools,
  searchProvider,
  skillPort,
} from "@/lib/domain/execution/tools/run-tools";
import type { ToolCall, ToolResult } from "@/lib/domain/execution/tools/tool-call";
import { resolveModel } from "@/lib/domain/execution/turn/call-model";
import { readData } from "@/lib/domain/execution/turn/complete-run";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { models } from "@/lib/domain/models/models";
import { toUsage } from "@/lib/domain/runs/run-view";
import { listRunSkills } from "@/lib/domain/skills/skill-view";
import { builtInsThat } from "@/lib/model/agent-config/built-in-tools";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { FOR_LANGUAGE_MODELS, type RulesTask } from "@/lib/model/models/rules-task";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { inSlices } from "@/lib/platform/in-slices";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import type { TurnContent, TurnPrompt, TurnUsage } from "@/lib/runtime/models/read-turn";
import type { TurnResult } from "@/lib/runtime/models/stream-turn";
import { TRY_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { agentRunPrompt, renderInput } from "@/lib/runtime/prompts/prompts";
import { createClientTool } from "@/lib/runtime/tools/client-tool";
import { createHttpTool } from "@/lib/runtime/tools/http-tool";
import { redactedTool, redactJson, resolveTools } from "@/lib/runtime/tools/resolve-tools";
import {
  checkArguments,
  executeTool,
  type RuntimeTool,
  ToolFailure,
  toFunctionTool,
} from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";

/** Of one build, and turns of one try. */
const TRIES_MAX = 3;
const TURNS_MAX = 6;
const ANSWER_MAX_TOKENS = 4_000;
const SHOWN_MAX_CHARACTERS = 2_000;
const TEXT_MAX_CHARACTERS = 12_000;

/**
 * Tools that only compute, or read what the account has: they work in a dry run as in any other.
 */
const WORKING = builtInsThat(({ worksDry }) => worksDry === true);

/** What of a draft, or of the agent, a trial runs. */
type TriedAgent = Omit<AgentDraft, "keyOrder">;

interface Trial {
  run: LoadedRun;
  call: ToolCall;
  step: RunStep;
  agent: TriedAgent;
  tools: RuntimeTool[];
  redact: Redactor;
  /** Out of what the model calls. */
  spoken: Redactor;
  workspace: { id: string; name: string; fileCount: number } | null;
}

/**
 * Runs the draft on one input, for its builder to look at. Nothing is written and nothing leaves
 * the service but the model's own calls, which the build pays for:
 * connectors, the web and artifacts are answered with what would be done. A server of MCP is not
 * even asked for its tools: that alone would send it a secret.
 */
export async function tryAgent(run: LoadedRun, call: ToolCall, step: RunStep): Promise<ToolResult> {
  const parsed = TRY_AGENT_TOOL.schema.safeParse(call.input);
  if (!parsed.success)
    return failed(
      "The arguments do not fit: give an input or a starter, and a workspace's name where files are needed.",
    );
  const agent = (await draftOf(run))?.state ?? run.agent;
  if (!agent) return failed("There is no draft to try yet.");
  if (
    [...run.transcript.results.values()].filter(
      ({ name, succeeded }) => name === call.name && succeeded,
    ).length >= TRIES_MAX
  )
    return failed(`A draft is tried ${TRIES_MAX} times at most. Finish.`);
  const config = effectiveConfig(agent.config);
  const input = (parsed.data.input ?? {
    request: parsed.data.starter ?? config.starters[0] ?? "",
  }) as JsonObject; // parsed JSON
  const misfits = config.inputs ? validateAgainst(config.inputs, input).slice(0, 5) : [];
  if (misfits.length > 0)
    return failed(
      `The input does not fit \`inputs\`: ${misfits.map(({ path, message }) => `${path}: ${message}`).join("; ")}`,
    );
  const workspace =
    parsed.data.workspace === undefined
      ? null
      : await findWorkspace(run.accountId, parsed.data.workspace);
  if (parsed.data.workspace !== undefined && !workspace)
    return failed("There is no workspace of this name.");
  const { results, output: spoken } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const trial: Trial = {
    run,
    call,
    step,
    agent,
    tools: dryTools(run, agent),
    redact: results,
    spoken,
    workspace,
  };
  const output = await work(trial, input).catch((error: unknown) => {
    if (!(error instanceof BudgetShort)) throw error;
    // Waited for, it would be done again from its beginning, and what it has paid for with it.
    return null;
  });
  await run.cost.refresh();
  step.log.append({ type: "usage.updated", usage: toUsage(run.cost.usage) });
  if (!output) return failed("The trial came to no end: there are not as many credits left.");
  const untried = config.tools.mcp.map(({ name }) => name);
  return {
    succeeded: true,
    output: {
      input,
      ...output,
      ...(untried.length > 0 && { not_tried: `The tools of ${untried.join(", ")} (MCP).` }),
    },
  };
}

async function findWorkspace(accountId: string, name: string): Promise<Trial["workspace"]> {
  const row = await prisma().workspace.findFirst({
    where: { accountId, name },
    orderBy: { id: "desc" },
  });
  return (
    row && {
      id: row.id,
      name,
      fileCount: await prisma().workspaceFile.count({ where: { workspaceId: row.id, accountId } }),
    }
  );
}

function dryTools(run: LoadedRun, agent: TriedAgent): RuntimeTool[] {
  const config = effectiveConfig(agent.config);
  const port = connectorPort(run.accountId);
  const never = () => Promise.reject(new ToolFailure("This is a dry run."));
  const { builtIns, own } = ownTools(
    {
      reach: port.reach,
      search: searchProvider(),
      fetchRule: null,
      skills: skillPort(run.accountId),
      memory: config.tools.memory
        ? { list: never, save: never, update: never, remove: never }
        : null,
      media: { models: models().media, port: { make: never } },
    },
    config,
  );
  const connectors = config.tools.http.map((tool) => createHttpTool(tool, port));
  // Nobody is there to answer: as with connectors, what would be asked is all that there is.
  const nobody = { find: never };
  const ofClient = config.tools.client.map((tool) => createClientTool(tool, nobody));
  return resolveTools(config, builtIns, [...own, ...connectors, ...ofClient]);
}

interface Tried {
  name: string;
  arguments: string;
  outcome: string;
}

/** The agent's own loop, in small. */
async function work(trial: Trial, input: JsonObject): Promise<JsonObject> {
  const { agent, tools, run, workspace } = trial;
  const { output_schema: schema } = effectiveConfig(agent.config);
  const system = agentRunPrompt(agent, {
    skills: listRunSkills(run.surroundings.skills),
    tools: tools.map(({ name }) => name),
    outputSchema: schema && JSON.stringify(schema),
  });
  const situation = tellSituation({
    now: new Date(),
    zone: "UTC",
    workspace,
    tools: tools.map(toFunctionTool),
  });
  const prompt: TurnPrompt = [
    {
      role: "system",
      content: `${system}\n\nThis is a dry run: what would be sent or written is answered with what would be done.`,
    },
    {
      role: "user",
      content: [
        { type: "text", text: situation, providerOptions: FOR_LANGUAGE_MODELS },
        { type: "text", text: renderInput(input, effectiveConfig(agent.config).inputs) },
      ],
    },
  ];
  const calls: Tried[] = [];
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const said = await runTrialTurn(trial, prompt, turn);
    const text = trial.redact.redact(said.text);
    if (said.toolCalls.length === 0) {
      const read = schema && readData(text, schema);
      const problem =
        read && !read.ok ? `The answer does not fit the output_schema: ${read.problem}` : null;
      return {
        calls: calls.map((made) => ({ ...made })),
        answer: cut(text, TEXT_MAX_CHARACTERS),
        problem,
      };
    }
    const content: TurnContent = text ? [{ type: "text", text }] : [];
    const results: Extract<TurnPrompt[number], { role: "tool" }>["content"] = [];
    for (const [index, { id, name: asked, input }] of said.toolCalls.entries()) {
      const name = trial.spoken.redact(asked);
      const args = await inSlices(
        redactJson((input ?? null) as JsonValue, trial.spoken.redactInSteps),
      ); // a model's JSON, or its text
      const toolCallId = `try_${turn}_${index}_${id}`;
      const { succeeded, output } = await dryCall(trial, name, args, toolCallId);
      const value = output as JsonValue; // made of JSON
      content.push({ type: "tool-call", toolCallId, toolName: name, input: args });
      results.push({
        type: "tool-result",
        toolCallId,
        toolName: name,
        output: { type: "json", value },
      });
      calls.push({
        name,
        arguments: shown(args),
        outcome: `${succeeded ? "" : "failed: "}${shown(value)}`,
      });
    }
    prompt.push({ role: "assistant", content }, { role: "tool", content: results });
  }
  return {
    calls: calls.map((made) => ({ ...made })),
    answer: null,
    problem: `It came to no end within ${TURNS_MAX} turns.`,
  };
}

/** The agent's own work, for a model that reads no prompts. */
function trialTask(agent: TriedAgent, workspace: Trial["workspace"]): RulesTask {
  const { output_schema: schema } = effectiveConfig(agent.config);
  return {
    kind: "run",
    agent: { name: agent.name, skill: agent.skillContent },
    outputSchema: schema && JSON.stringify(schema),
    hasWorkspace: workspace !== null,
    leadsAgents: false,
  };
}

async function runTrialTurn(
  { run, call, step, agent, tools, workspace }: Trial,
  prompt: TurnPrompt,
  turn: number,
): Promise<TurnResult> {
  const wanted = agent.config.model;
  const modelId = wanted && models().find(wanted)?.switched_on ? wanted : run.model;
  const limits = runLimits(run);
  const shownTools = tools.map(toFunctionTool);
  const prices = callPrices({ prompt, tools: shownTools }, ANSWER_MAX_TOKENS);
  /** Under a name of its own: a try that is made again after a crash is not paid twice. */
  const chargeFor = (model: string, usage: TurnUsage) => {
    const used = usedTokens(model, usage, prices.least(modelId));
    return chargeOf(run, limits, `${call.toolCallId}-try-${turn}`, used);
  };
  const pay = (charge: Charge) => withinAccount(run.accountId, () => chargeRun(postgres(), charge));
  return callPaidModel({
    run,
    limits,
    prices,
    covered: null,
    request: {
      models: [resolveModel(modelId)],
      prompt,
      tools: shownTools,
      toolChoice: { type: "auto" },
      settings: {
        temperature: agent.config.model_settings?.temperature ?? null,
        reasoning: agent.config.model_settings?.reasoning ?? null,
      },
      rules: { task: trialTask(agent, workspace), account: run.accountId },
      onText: () => {},
      onReasoning: () => {},
      onRetry: () => {},
    },
    signal: step.signal,
    isTimed: true,
    async settle(result) {
      await pay(chargeFor(result.model, result.usage));
      return result;
    },
    settleCut: ({ model, usage }) => {
      const charge = chargeFor(model, usage);
      return settleCut(run, step.signal, charge, () => pay(charge));
    },
  });
}

async function dryCall(
  { run, step, tools, redact, workspace }: Trial,
  name: string,
  args: unknown,
  toolCallId: string,
): Promise<ToolResult> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) return failed(`There is no tool ${JSON.stringify(name)} here.`);
  const misfit = checkArguments(tool, args);
  if (misfit) return misfit;
  if (!WORKING.includes(name)) return { succeeded: true, output: wouldDo(tool, args) };
  const workspaceId = workspace?.id ?? null;
  const port = filesPort({ ...run, workspaceId, earlierIn: null }, toolCallId);
  const unwritten = () =>
    Promise.reject(new ToolFailure("This is a dry run: the file would be written, and was not."));
  return executeTool(redactedTool(tool, redact.redactInSteps), args, {
    runId: run.id,
    accountId: run.accountId,
    toolCallId,
    signal: step.signal,
    untimed: step.untimed,
    files: {
      ...port,
      write: unwritten,
      receive: unwritten,
      append: unwritten,
      edit: unwritten,
      copy: unwritten,
      remove: unwritten,
      saveAll: async (files) => (files.length === 0 ? [] : unwritten()),
    },
    artifacts: { create: unwritten },
    emit: () => {},
    todo: { cardId: null, items: [] },
  });
}

function wouldDo(tool: RuntimeTool, args: unknown): JsonObject {
  const where: JsonObject =
    tool.kind === "guarded" || tool.target !== undefined
      ? { would_send: tool.target ?? tool.name }
      : { would_do: tool.name };
  return {
    dry_run: true,
    ...where,
    arguments: shown(args),
    note: "Nothing was sent or written. Go on as if it had worked, and invent no answer of it.",
  };
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value ?? null), SHOWN_MAX_CHARACTERS);
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}… (cut)`;
}

function failed(error: string): ToolResult {
  return { succeeded: false, output: { error } };
}
