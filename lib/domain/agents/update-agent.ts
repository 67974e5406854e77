import "server-only";
import {
  type AgentRecord,
  type AgentState,
  invalidText,
  lockAgent,
  requireActive,
  requireAgent,
  storeAgentState,
} from "@/lib/domain/agents/agent-store";
import { requireCalledAgents } from "@/lib/domain/agents/require-called-agents";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { models } from "@/lib/domain/models/models";
import type { Principal } from "@/lib/domain/principal";
import { readWithModels, workOnRequest } from "@/lib/domain/work-on-request";
import { type AGENT_FIELDS, isJsonField, KEPT_AGENT_KEYS } from "@/lib/model/agent/agent-fields";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import type { KeyOrder } from "@/lib/model/agent-config/key-order";
import { checkDashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";
import { ServiceError } from "@/lib/model/errors";
import { type GivenOf, pickFields } from "@/lib/model/fields/field-table";
import {
  ComplexityLimit,
  type JsonIssue,
  type JsonValue,
  sameJson,
  toDottedPath,
} from "@/lib/model/json-schema/json-value";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Replaces what is given and keeps the outcome as a new version; what changes nothing stores
 * nothing. `config` and `configContent` say the same ever after. Nothing is stored when it throws.
 * @param isExpected whether the caller's idea of the agent (an `If-Match`) still holds; asked under
 * the agent's lock
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, CONFLICT (archived), VERSION_CONFLICT,
 * RATE_LIMITED
 */
export async function updateAgent(
  principal: Principal,
  agentId: string,
  request: AgentChangeRequest,
  isExpected: (agent: AgentRecord) => boolean = () => true,
): Promise<AgentRecord> {
  const change = await checkAgentChange(principal, request);
  for (let tries = 1; ; tries += 1) {
    const wanted = await writeConfig(principal, agentId, change);
    try {
      return await storeChange(principal, agentId, change, wanted, isExpected);
    } catch (error) {
      if (!(error instanceof TextMoved)) throw error;
      if (tries === TRIES_MAX) throw changedMeanwhile();
    }
  }
}

/** How often a config is written anew into a text that others change again and again. */
const TRIES_MAX = 5;

/** The text into which a config was written is no longer the agent's. */
class TextMoved extends Error {
  override readonly name = "TextMoved";
}

function changedMeanwhile(): ServiceError {
  return new ServiceError(
    "VERSION_CONFLICT",
    "The agent was changed since you read it. Fetch it again and make your change on that.",
  );
}

function storeChange(
  principal: Principal,
  agentId: string,
  change: CheckedAgentChange,
  wanted: WrittenConfig | null,
  isExpected: (agent: AgentRecord) => boolean,
): Promise<AgentRecord> {
  return accountTransaction(principal.accountId, async (tx) => {
    const agent = await lockAgent(tx, principal, agentId);
    requireActive(agent);
    if (!isExpected(agent)) throw changedMeanwhile();
    if (wanted?.from != null && wanted.from !== agent.configContent) throw new TextMoved();
    await consumeWriteQuota(tx, principal);
    const state = nextState(agent, change, wanted);
    if (isSameState(agent, state)) return agent;
    return storeAgentState(tx, principal, agent, state, {
      source: "patch",
      releaseNote: change.releaseNote ?? null,
      runId: null,
    });
  });
}

/** A config and the text that says it. */
interface WrittenConfig {
  config: AgentConfig;
  configContent: string;
  keyOrder: KeyOrder | null;
  /** The agent's text, of which it was made; null: of one that came with the request. */
  from: string | null;
}

/**
 * The text of what is wanted, before anything is locked: that takes a thread and its time. A text
 * that says the config already is kept as it is, comments and all; else it is rewritten from the
 * new text, or the stored one.
 */
async function writeConfig(
  principal: Principal,
  agentId: string,
  { config, configText }: CheckedAgentChange,
): Promise<WrittenConfig | null> {
  if (!config) return null;
  const from =
    configText === undefined ? (await requireAgent(principal, agentId)).configContent : null;
  const written = await workOnRequest(
    "rewrite-config",
    { text: configText ?? from ?? "", config },
    { account: principal.accountId, field: "config" },
  );
  return { config, from, ...written };
}

function nextState(
  agent: AgentRecord,
  change: CheckedAgentChange,
  wanted: WrittenConfig | null,
): AgentState {
  const { releaseNote, config, configText, ...said } = change;
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  // Checked as JSON before; the columns' types know less.
  return {
    ...pickFields(agent, KEPT_AGENT_KEYS),
    ...given,
    ...(wanted && pickFields(wanted, ["config", "configContent", "keyOrder"])),
  } as AgentState;
}

function isSameState(agent: AgentState, state: AgentState): boolean {
  return KEPT_AGENT_KEYS.every(
    (key) =>
      // Follows from the config's text.
      key === "keyOrder" ||
      (isJsonField(key) ? isSameJson(agent[key], state[key]) : agent[key] === state[key]),
  );
}

/** Both are bounded to 8,000 values by their formats. */
function isSameJson(left: unknown, right: unknown): boolean {
  // Stored and checked as JSON.
  return sameJson(left as JsonValue, right as JsonValue, new ComplexityLimit(100_000));
}

/** What a PATCH asks for, its texts within their limits; an absent field stays. */
export type AgentChangeRequest = Partial<
  Omit<GivenOf<typeof AGENT_FIELDS>, "config" | "dashboardTemplate">
> & {
  config?: unknown;
  dashboardTemplate?: unknown;
  releaseNote?: string | null;
};

/**
 * The same, with the config read: `config` is what will hold, `configText` the text that came for
 * it, if any.
 */
type CheckedAgentChange = Omit<AgentChangeRequest, "config" | "configContent"> & {
  config?: AgentConfig;
  configText?: string;
};

/**
 * Reads what a PATCH says about config and dashboard, before anything is looked up. Where both are
 * given, `config` wins over what `configContent` says; the text must be valid all the same.
 * @throws ServiceError INVALID_INPUT, with line and column for a YAML text
 */
async function checkAgentChange(
  principal: Principal,
  { config, configContent, ...rest }: AgentChangeRequest,
): Promise<CheckedAgentChange> {
  const said = configContent === undefined ? undefined : await readText(principal, configContent);
  const wanted = config === undefined ? said : checkedConfig(config);
  if (wanted) await requireCalledAgents(principal.accountId, wanted);
  if (rest.dashboardTemplate !== undefined && rest.dashboardTemplate !== null)
    requireDashboard(rest.dashboardTemplate);
  return {
    ...rest,
    ...(wanted && { config: wanted }),
    ...(configContent !== undefined && { configText: configContent }),
  };
}

const isKnownModel = (id: string) => models().find(id) !== null;

async function readText({ accountId }: Principal, text: string): Promise<AgentConfig> {
  const work = { account: accountId, field: "config_content" };
  const parsed = await readWithModels(
    (unknownModels) => workOnRequest("read-config", { text, unknownModels }, work),
    (read) => (read.ok ? read.config : undefined),
  );
  if (!parsed.ok) throw invalidText("config_content", parsed.errors);
  return parsed.config;
}

function checkedConfig(value: unknown): AgentConfig {
  const checked = checkAgentConfig(value, { isKnownModel });
  if (!checked.ok) throw invalidJson("config", checked.issues);
  return checked.config;
}

function requireDashboard(value: unknown): void {
  const checked = checkDashboardTemplate(value);
  if (!checked.ok) throw invalidJson("dashboard_template", checked.issues);
}

function invalidJson(field: string, issues: readonly JsonIssue[]): ServiceError {
  const details = issues.map(({ path, message }) => ({ path: toDottedPath(path, field), message }));
  return new ServiceError(
    "INVALID_INPUT",
    details.map((detail) => `${detail.path}: ${detail.message}`).join("; "),
    { details },
  );
}
