import "server-only";
import { createHash } from "node:crypto";
import {
  type AgentVersionRecord,
  requireActive,
  requireAgent,
} from "@/lib/domain/agents/agent-store";
import { requireVersion } from "@/lib/domain/agents/get-agent-version";
import { APP_RUN_KINDS } from "@/lib/domain/apps/require-app";
import {
  conversationBusy,
  requireConversation,
} from "@/lib/domain/conversations/take-conversation";
import { models } from "@/lib/domain/models/models";
import type { Principal } from "@/lib/domain/principal";
import {
  acceptRun,
  type Idempotency,
  type ParentCall,
  type Replay,
  type ReplayOf,
  type StartedRun,
} from "@/lib/domain/runs/accept-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { type AcceptedMessage, sendMessage } from "@/lib/domain/runs/send-message";
import { requireRunWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { env } from "@/lib/env";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { withEndUser } from "@/lib/model/end-user";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import type { VersionName } from "@/lib/model/fields/shared-fields";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { withDefaults } from "@/lib/model/json-schema/with-defaults";
import type { CacheTime } from "@/lib/model/models/model-facts";
import { type RunSaid, UNSAID_RUN } from "@/lib/model/run/run-fields";
import { type IfBusy, saidText } from "@/lib/model/run/run-message";
import { toMicros } from "@/lib/model/run/run-result";
import {
  AGENT_ROUTE_KINDS,
  familyOf,
  isOfSuperAgent,
  type RunKind,
  SUPER_AGENT_KINDS,
  type WorkKind,
} from "@/lib/model/run/run-status";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import {
  checkUrl,
  EGRESS_REFUSED_MESSAGE,
  requirePublicTarget,
} from "@/lib/platform/egress/target";
import { log } from "@/lib/platform/log";
import { postgres, type Transaction } from "@/lib/platform/postgres";
import { estimateMicros } from "@/lib/runtime/models/prices";
import { definePart } from "@/lib/service";
import type { Agent } from "@/lib/storage/generated/client";

/** What a run is asked to be; what is not said is as `UNSAID_RUN` has it. */
export interface RunInput extends Partial<Omit<RunSaid, "input">>, Pick<RunSaid, "input"> {
  scheduleId?: string;
  parent?: ParentCall;
  replayOf?: ReplayOf;
  /** More that must become true with the acceptance; what it throws refuses the run. */
  claim?: (tx: Transaction, runId: string) => Promise<void>;
  /** The same once the run stands. */
  accepted?: (tx: Transaction, run: RunView) => Promise<void>;
  /** What becomes of it where a run of its conversation has not ended. */
  ifBusy?: IfBusy;
}

/** How the surface that was used calls the fields, for error details. */
interface RunFieldNames {
  input: string;
  webhookUrl: string;
  endUser: string;
}

const V1_NAMES: RunFieldNames = {
  input: "input",
  webhookUrl: "webhook_url",
  endUser: "end_user",
};

/**
 * Starts a run of an agent, or without one a general run. Nothing is stored when it is refused.
 * @throws ServiceError as contract §1 orders them
 */
export async function requestRun(
  principal: Principal,
  kind: WorkKind,
  said: RunInput,
  idempotency?: Idempotency,
  names: RunFieldNames = V1_NAMES,
): Promise<StartedRun | Replay> {
  const request = withEndUser({ ...UNSAID_RUN, ...said }, names.endUser);
  if (request.webhookUrl) await requireWebhookUrl(principal, request.webhookUrl, names.webhookUrl);
  const requestedModel = request.model === null ? null : chooseModel(request.model, null);
  const current = request.agentId ? await requireAgent(principal, request.agentId) : null;
  if (request.workspaceId)
    await requireRunWorkspace(principal, request.workspaceId, request.agentId);
  const continued = request.conversationId
    ? await requireConversation(principal, request.conversationId, familyOf(kind), request.endUser)
    : null;
  const version = await namedVersion(principal, current, request.version);
  const agent = current && version ? atVersion(current, version) : current;
  const input = agent ? fittingInput(agent, request.input, names.input) : request.input;
  if (agent) requireActive(agent);
  const model = requestedModel ?? chooseModel(null, agent);
  const { ifBusy = "reject" } = request;
  const steered = ifBusy === "steer" ? await steerRun(principal, kind, request, idempotency) : null;
  if (steered) return steered;
  if (ifBusy === "interrupt") await requireInterruptible(principal, kind, request.conversationId);
  await requireAccepting(request.parent);
  const { ifBusy: _, ...asked } = request;
  return acceptRun(
    principal,
    {
      ...asked,
      agentVersion: version?.number ?? null,
      endUser: request.endUser ?? continued?.endUser ?? null,
      kind,
      input,
      model,
      // What the person said, without what they left to the agent's owner.
      userText: saidText(request.input),
      releaseNote: null,
      scheduleId: request.scheduleId ?? null,
      estimateMicros: await estimateRun(
        principal,
        model,
        [JSON.stringify(input), agent?.skillContent ?? ""],
        request.conversationId,
        { historyOf: request.replayOf?.historyOf ?? null, cache: cacheOf(agent) },
      ),
      agentMaxMicros: agent ? agentMaxMicros(agent) : null,
      countsAsWrite: false,
      ...waitsAs(ifBusy),
    },
    idempotency,
  );
}

function waitsAs(ifBusy: IfBusy): { ifBusy?: "queue" | "interrupt" } {
  return ifBusy === "queue" || ifBusy === "interrupt" ? { ifBusy } : {};
}

/** The run that a conversation has; null: none. */
async function findActiveRun(
  { accountId }: Principal,
  conversationId: string | null,
): Promise<string | null> {
  if (conversationId === null) return null;
  const { rows } = await postgres().query<{ active: string | null }>(
    "SELECT active_run_id AS active FROM conversations WHERE id = $1 AND account_id = $2",
    [conversationId, accountId],
  );
  return rows[0]?.active ?? null;
}

/** Which runs one that starts may meddle with: those that its route shows. */
function seenBy(kind: RunKind): readonly RunKind[] {
  if (APP_RUN_KINDS.includes(kind)) return APP_RUN_KINDS;
  return isOfSuperAgent(kind) ? SUPER_AGENT_KINDS : AGENT_ROUTE_KINDS;
}

/**
 * The run that its conversation has, which whoever asks must see. @throws ServiceError
 * CONVERSATION_BUSY
 */
async function findInTheWay(
  principal: Principal,
  kind: RunKind,
  conversationId: string | null,
): Promise<RunView | null> {
  const active = await findActiveRun(principal, conversationId);
  if (active === null) return null;
  return getRun(principal, active, seenBy(kind)).catch((error: unknown) => {
    const isHidden = error instanceof ServiceError && error.code === "RUN_NOT_FOUND";
    throw isHidden ? conversationBusy(active) : error;
  });
}

/** @throws ServiceError CONVERSATION_BUSY where the run at work is not shown to whoever asks */
async function requireInterruptible(
  principal: Principal,
  kind: RunKind,
  conversationId: string | null,
): Promise<void> {
  await findInTheWay(principal, kind, conversationId);
}

/**
 * Says what a run is asked to the one that its conversation has.
 * @returns null where none has it: the run is to be started
 * @throws ServiceError as `sendMessage`
 */
async function steerRun(
  principal: Principal,
  kind: RunKind,
  { conversationId, input }: Pick<RunInput, "input"> & { conversationId: string | null },
  idempotency?: Idempotency,
): Promise<StartedRun | Replay | null> {
  const run = await findInTheWay(principal, kind, conversationId);
  if (run === null) return null;
  const kept = idempotency && {
    ...idempotency,
    answer: (message: AcceptedMessage) => idempotency.answer({ ...run, message }),
  };
  try {
    const sent = await sendMessage(principal, run.id, input, kept, seenBy(kind));
    return "replayed" in sent ? sent : { ...run, message: sent };
  } catch (error) {
    // It has ended just now.
    if (error instanceof ServiceError && error.code === "RUN_NOT_ACTIVE") return null;
    throw error;
  }
}

/**
 * The version that a run keeps to: the one that its request names, else the one that its app key is
 * for. Null where it works by the agent as it is.
 * @throws ServiceError INVALID_INPUT, VERSION_NOT_FOUND
 */
async function namedVersion(
  principal: Principal,
  agent: Agent | null,
  said: VersionName | null,
): Promise<AgentVersionRecord | null> {
  const name = said ?? principal.agentVersion ?? null;
  if (name === null) return null;
  if (!agent) throw invalidInput("version", "is of an agent: name its agent_id too");
  return requireVersion(principal, agent.id, name);
}

/** The agent as it reads in one of its versions. */
export function atVersion(agent: Agent, { skillContent, config }: AgentVersionRecord): Agent {
  return { ...agent, skillContent, config };
}

/**
 * The input as the run works on it: with the defaults of the agent's `inputs` schema for what it
 * leaves out. Defaults that do not fit the schema themselves are left out.
 * @throws ServiceError INVALID_INPUT when the agent has an `inputs` schema and the input does not
 * fit it
 */
function fittingInput(
  agent: Agent,
  input: Record<string, unknown>,
  inputPath: string,
): Record<string, unknown> {
  const schema = inputsOf(agent);
  if (!schema) return input;
  const filled = withDefaults(schema, input as JsonObject); // parsed from JSON
  const details = validateAgainst(schema, filled, inputPath);
  if (details.length === 0) return filled;
  if (validateAgainst(schema, input, inputPath).length === 0) return input;
  throw new ServiceError(
    "INVALID_INPUT",
    details.map((detail) => `${detail.path}: ${detail.message}`).join("; "),
    { details },
  );
}

/**
 * The same of an input that is kept for later runs, each of which fills it anew.
 * @throws ServiceError INVALID_INPUT
 */
export function requireFittingInput(agent: Agent, input: Record<string, unknown>): void {
  fittingInput(agent, input, V1_NAMES.input);
}

function inputsOf(agent: Agent): JsonObject | null {
  // Stored only after validation.
  return effectiveConfig(agent.config as unknown as AgentConfig).inputs;
}

/** What the agent's own config lets a run cost, in millionths of a credit; null without a limit. */
function agentMaxMicros(agent: Agent): bigint | null {
  // Stored only after validation.
  const credits = (agent.config as unknown as AgentConfig).limits?.max_credits;
  return credits == null ? null : toMicros(credits);
}

/**
 * Refuses a webhook URL that does not lead to the public network (contract §10). A name is
 * resolved; one that does not resolve passes, since its delivery looks again. @throws ServiceError
 * INVALID_INPUT
 */
export async function requireWebhookUrl(
  { accountId }: Pick<Principal, "accountId">,
  text: string,
  path = "webhook_url",
  reach: EgressOptions = operatorReach(accountId),
): Promise<void> {
  const checked = checkUrl(text, reach);
  if (!checked.ok) throw invalidInput(path, toldToOperator(accountId, checked.message, text));
  try {
    await requirePublicTarget(checked.url, reach);
  } catch (error) {
    const message = error instanceof Error ? error.message : "must be a public http or https URL";
    throw invalidInput(path, toldToOperator(accountId, message, text));
  }
}

/**
 * How a machine inside becomes a target is for the operator to know: in the log, not in the answer,
 * which any account is given.
 */
function toldToOperator(accountId: string, message: string, text: string): string {
  if (message !== EGRESS_REFUSED_MESSAGE) return message;
  const url = new URL(text);
  const target = `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
  const way_out = `EGRESS_ALLOW=${target}@${accountId}`;
  log.info(
    { account_id: accountId, target, way_out },
    "a webhook's address is not public and was refused; the setting would allow it",
  );
  return message;
}

/**
 * How long a process goes by what it last read: one statement in that time, however many runs
 * start.
 */
export const ACCEPTING_KNOWN_MS = 2_000;

interface Known {
  until: number;
  draining: Promise<boolean>;
}

export const knownDraining = definePart(
  "draining",
  (): Known => ({ until: 0, draining: Promise.resolve(false) }),
);

/**
 * Refuses new runs while the operator drains the engine (`admin engine drain`). What a run at work
 * starts itself is let through: it would not end without.
 * @throws ServiceError SERVICE_UNAVAILABLE
 */
export async function requireAccepting(
  parent: object | undefined,
  now = Date.now(),
): Promise<void> {
  if (parent) return;
  const known = knownDraining();
  if (now >= known.until) {
    known.until = now + ACCEPTING_KNOWN_MS;
    known.draining = readDraining();
    // A database that is away is told by whoever needs it next.
    known.draining.catch(() => {
      known.until = 0;
    });
  }
  if (!(await known.draining)) return;
  throw new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The service is being moved to another engine and starts no runs at the moment. Nothing " +
      "was started; try again in some minutes.",
    {},
    { "Retry-After": "60" },
  );
}

async function readDraining(): Promise<boolean> {
  const { rows } = await postgres().query<{ draining: boolean }>(
    "SELECT draining_since IS NOT NULL AS draining FROM service_identity WHERE id = 1",
  );
  return rows[0]?.draining ?? false;
}

/**
 * The model of a run: the one that the request names, else the agent's, else the default. An
 * agent's own model that is not switched on stays the run's:
 * nothing but its `fallback_models` may take its place, see `turnModels`.
 * @throws ServiceError INVALID_INPUT with the published list, for a requested model that is unknown
 * or switched off
 */
export function chooseModel(requested: string | null, agent: { config: unknown } | null): string {
  if (requested !== null) return requireModel(requested, "model");
  const own = (agent?.config as AgentConfig | undefined)?.model; // stored only after validation
  if (own === undefined) return models().default_model;
  return models().find(own)?.id ?? own;
}

/**
 * The model of a run that builds or edits an agent: the one that the request names, else the
 * operator's `BUILDER_MODEL`, else the default for it.
 * @throws ServiceError INVALID_INPUT with the published list, for a requested model that is unknown
 * or switched off
 */
export function chooseBuilderModel(requested: string | null): string {
  return requested === null
    ? models().roleModel("builder")
    : requireModel(requested, "builder_model");
}

/** The id behind what a request names, which may be an alias. */
function requireModel(id: string, field: string): string {
  const model = models().find(id);
  if (!model) throw invalidInput(field, `is not one of: ${publishedIds()}`);
  if (!model.switched_on)
    throw invalidInput(
      field,
      `${id} is not switched on in this deployment: its provider's key is not set`,
    );
  return model.id;
}

const LISTED_MAX = 200;

function publishedIds(): string {
  const ids = [...models().known.map((known) => known.id), ...Object.keys(models().aliases)];
  const more = ids.length - LISTED_MAX;
  return more > 0 ? `${ids.slice(0, LISTED_MAX).join(", ")} and ${more} more` : ids.join(", ");
}

/** How long an agent has a vendor's cache keep what its prompts begin with. */
function cacheOf(agent: { config: unknown } | null): CacheTime {
  // Stored only after validation.
  return (agent?.config as AgentConfig | undefined)?.model_settings?.cache ?? "5m";
}

const MESSAGES_MAX = 60;
const CHARACTERS_MAX = 120_000;

/**
 * What a run reserves when it starts, in millionths of a credit: what its first turn costs at
 * least, the conversation that it continues included.
 * @param texts what its prompt is made of beside what every run is told
 */
export async function estimateRun(
  principal: Principal,
  modelId: string,
  texts: readonly string[],
  conversationId: string | null,
  {
    isBuild = false,
    historyOf = null,
    cache = "5m",
  }: { isBuild?: boolean; historyOf?: string | null; cache?: CacheTime } = {},
): Promise<bigint> {
  const history =
    conversationId || historyOf ? await readHistory(principal, conversationId, historyOf) : "";
  return estimateMicros(modelId, [...texts, history].join("\n"), env(), { isBuild, cache });
}

/**
 * As much of a conversation as a run's prompt carries. A stranger's is empty here: not even its
 * length may show in what a run needs.
 */
async function readHistory(
  principal: Principal,
  conversationId: string | null,
  historyOf: string | null,
): Promise<string> {
  const { rows } = await postgres().query<{ text: string }>({
    name: "estimate-history",
    text: `SELECT left(m.text, $3) AS text FROM messages m
           JOIN conversations c ON c.id = m.conversation_id
           WHERE m.conversation_id = coalesce($1, (SELECT conversation_id FROM runs WHERE id = $5
                 AND account_id = $4)) AND c.account_id = $4
             AND ($5::uuid IS NULL OR m.position < (SELECT position FROM messages WHERE run_id = $5
                   AND role = 'user')) ORDER BY m.id DESC LIMIT $2`,
    values: [conversationId, MESSAGES_MAX, CHARACTERS_MAX, principal.accountId, historyOf],
  });
  return rows
    .map(({ text }) => text)
    .join("\n")
    .slice(0, CHARACTERS_MAX);
}

export function hashRequest(body: unknown): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}
