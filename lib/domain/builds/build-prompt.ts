import "server-only";
import { draftOf } from "@/lib/domain/builds/build-draft";
import { AgentChanged } from "@/lib/domain/builds/edit-agent";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import type { StoredTurn } from "@/lib/domain/execution/run/transcript";
import { turnText } from "@/lib/domain/execution/run/transcript";
import { accountServers } from "@/lib/domain/execution/tools/list-servers";
import { searchProvider } from "@/lib/domain/execution/tools/run-tools";
import { models } from "@/lib/domain/models/models";
import { listRunSkills } from "@/lib/domain/skills/skill-view";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { daysUntilRetired, RETIREMENT_NOTICE_DAYS } from "@/lib/model/models/catalogue";
import type { RulesTask } from "@/lib/model/models/rules-task";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { bareName } from "@/lib/model/secret/owned-name";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";
import type { AvailableModel } from "@/lib/runtime/models/available-models";
import {
  BUILD_TOOLS,
  type BuildTool,
  CREATE_AGENT_TOOL,
  EDIT_AGENT_TOOL,
  FINISH_TOOL,
} from "@/lib/runtime/prompts/agent-tools";
import {
  agentCreationPrompt,
  agentEditPrompt,
  type EditedAgent,
} from "@/lib/runtime/prompts/prompts";
import { prisma } from "@/lib/storage/prisma";

/** The tools of a build, the one that drafts first. */
export function buildTools(run: LoadedRun): BuildTool[] {
  const not = run.agent ? "creation" : "edit";
  return BUILD_TOOLS.filter((tool) => tool.of !== not);
}

/** What a build's model is told at the beginning, and the task of one that reads no prompts. */
export async function builderPrompt(run: LoadedRun): Promise<{ system: string; task: RulesTask }> {
  const now = new Date();
  const switchedOn = models().known.filter((model) => model.switched_on);
  const lasting = switchedOn.filter((model) => !isEnding(model, now)).slice(0, MODELS_MAX);
  const aliases = Object.entries(models().aliases).filter(([, id]) =>
    lasting.some((model) => model.id === id),
  );
  const ids = [...aliases.map(([alias]) => alias), ...lasting.map((model) => model.id)];
  const surroundings = {
    account: await describeAccount(run),
    models: [
      ...aliases.map(([alias, id]) => `- ${alias}: the newest of its family, now ${id}`),
      ...lasting.map(describeModel),
    ].join("\n"),
  };
  const drafted = await draftInPrompt(run);
  if (!run.agent)
    return {
      system: agentCreationPrompt(ids, surroundings, drafted),
      task: { kind: "create", models: ids },
    };
  const agent = editedAgent(run.agent);
  return {
    system: agentEditPrompt(agent, ids, surroundings, drafted),
    task: { kind: "edit", agent: JSON.stringify(agent), models: ids },
  };
}

/** An agent as its builder is shown it. */
export function editedAgent({
  name,
  description,
  skillContent,
  config,
  configContent,
  dashboardTemplate,
  writeAutonomy,
}: Omit<AgentDraft, "keyOrder">): EditedAgent {
  const comments = configContent.includes("#") ? { config_content: configContent } : {};
  return {
    name,
    description,
    skill_content: skillContent,
    write_autonomy: writeAutonomy,
    // Stored only after validation, so all of it is JSON.
    config: config as unknown as JsonValue,
    dashboard_template: (dashboardTemplate ?? null) as JsonValue,
    ...comments,
  };
}

/**
 * The draft, where the calls that made it stand in the prompt no more, as they were summed up; else
 * null.
 */
async function draftInPrompt(run: LoadedRun): Promise<EditedAgent | null> {
  const draft = run.context.compaction === null ? null : await draftOf(run);
  return draft && editedAgent(draft.state);
}

/** More would fill the prompt. */
const MODELS_MAX = 30;

/** An agent is not built on what ends soon. */
function isEnding(model: AvailableModel, now: Date): boolean {
  const days = daysUntilRetired(model, now);
  return model.gone || (days !== null && days <= RETIREMENT_NOTICE_DAYS);
}

function describeModel({ id, label, context_tokens, reasoning, price }: AvailableModel): string {
  const thinks = reasoning ? ", thinks before it answers" : "";
  return (
    `- ${id}: ${label}, ${context_tokens} tokens of context${thinks}; credits a million tokens: ` +
    `${price.input} in, ${price.output} out`
  );
}

const LISTED_MAX = 20;
const LINE_MAX_CHARACTERS = 200;

/**
 * What the account has that an agent could use, by name: no value of a secret, no text of a file.
 */
const NO_SEARCH =
  "not switched on in this deployment, so no agent has it; say so under left_out where the web " +
  "has to be searched";
const NO_MEDIA =
  "none of image, speech and video is switched on: say so under left_out where one is needed";

async function describeAccount(run: LoadedRun): Promise<string> {
  const { accountId } = run;
  const newest = { orderBy: { id: "desc" }, take: LISTED_MAX } as const;
  const [workspaces, agents, servers] = await Promise.all([
    prisma().workspace.findMany({
      select: { name: true, _count: { select: { files: true } } },
      where: { accountId },
      ...newest,
    }),
    prisma().agent.findMany({
      select: { name: true, description: true },
      where: { accountId, status: "active" },
      ...newest,
    }),
    accountServers(run.surroundings),
  ]);
  const media = models().media.map(({ capability }) => capability);
  const lines = [
    listed(
      "secrets",
      [...new Set(run.surroundings.secrets.map(({ name }) => bareName(name)))].filter(
        (name) => !name.startsWith(CONNECTION_SCOPE),
      ),
    ),
    ...(servers.size > 0
      ? [listed("MCP servers (their tools: read_connector)", [...servers].map(describeServer))]
      : []),
    listed(
      "skills",
      listRunSkills(run.surroundings.skills).map(
        ({ name, description }) => `${name} (${description})`,
      ),
    ),
    listed(
      "workspaces",
      workspaces.map(({ name, _count }) => `${name} (${_count.files} files)`),
    ),
    listed(
      "agents",
      agents.map(({ name, description }) => `${name}${description ? ` (${description})` : ""}`),
    ),
    `web_search: ${searchProvider() ? "switched on" : NO_SEARCH}`,
    `media tools: ${[...new Set(media)].join(", ") || NO_MEDIA}`,
  ];
  return lines.join("\n");
}

function describeServer([address, { auth, auth_secret: secret }]: [string, McpServer]): string {
  return `${address} (${auth ? `auth: ${auth}` : secret ? `auth_secret: ${secret}` : "no auth"})`;
}

function listed(what: string, names: readonly string[]): string {
  const shown = names
    .slice(0, LISTED_MAX)
    .map((name) =>
      name.length > LINE_MAX_CHARACTERS
        ? `${name.slice(0, LINE_MAX_CHARACTERS).toWellFormed()}…`
        : name,
    );
  const more = names.length > shown.length ? `; and ${names.length - shown.length} more` : "";
  return `${what}: ${shown.join("; ") || "none"}${more}`;
}

/**
 * What a build's model was told after a turn that called nothing and did not end the build; null
 * where that was nothing.
 */
export function buildCorrection(run: LoadedRun, turn: StoredTurn): string | null {
  if (turn.content.some((part) => part.type === "tool-call")) return null;
  if (turn.agentVersionId !== (run.agent?.currentVersionId ?? null))
    return `${AgentChanged.told} Make the requested change on that.`;
  const draft = run.agent
    ? `Call ${EDIT_AGENT_TOOL.name} with the change`
    : `Call ${CREATE_AGENT_TOOL.name} with the agent`;
  const end = `or ${FINISH_TOOL.name} with a question, or with the reason why it cannot be done`;
  if (turn.finishReason === "length")
    return (
      "Your message was cut off at the limit of one message before it called a tool, so nothing " +
      `came of it. ${draft}, in fewer words; what is missing can follow in further calls.`
    );
  return turnText(turn).trim() === ""
    ? `Your answer was empty. ${draft}, ${end}.`
    : `Words alone change nothing here: only a call of a tool does. ${draft}, ${end}.`;
}
