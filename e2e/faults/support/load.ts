import type { ApiClient } from "../../support/api-client";
import { until } from "../../support/until";
import type { ModelPlan } from "./fault-model";
import type { LabAccount } from "./lab";
import type { World } from "./world";

/** A start that a test asked for; `runId` once it was accepted. */
export interface Started {
  key: string;
  runId: string;
  account: LabAccount;
  /** Nobody asks for what it says: another run of its conversation, or one that was cancelled. */
  hasWebhook: boolean;
  /** Where runs of its kind are. */
  path: string;
  /** Its result has what the service says around what its model said. */
  isBuild?: boolean;
  /** It may have been cancelled. */
  mayFail?: boolean;
  /** Its model has one other run started, which is known by this. */
  childKey?: string;
  /** What was said to it while it worked, and answered as accepted. */
  said?: readonly string[];
}

export interface StartOptions extends ModelPlan {
  agentId?: string;
  conversationId?: string;
  account?: LabAccount;
  hasWebhook?: boolean;
  /** Where it is started; `/v1/runs` by default. */
  path?: string;
  /** The processes that may be asked, in turn; all by default. */
  processes?: number[];
  /** In credits: where it is reached the run waits. */
  limit?: number;
  /** What is to become of it where its conversation has a run at work. */
  ifBusy?: "queue" | "interrupt";
  endUser?: string;
}

let starts = 0;

/** A name that only one run has: its model and its tool know it by that. */
export function newKey(world: World): string {
  starts += 1;
  return `r${starts}-${world.database.replaceAll("_", "")}`;
}

/**
 * Starts a run and asks again, with the same idempotency key and at the next process, until one of
 * them says that it is accepted: a fault may have swallowed the answer to what was done. Any other
 * refusal than one for now is thrown.
 */
export async function startRun(world: World, options: StartOptions = {}): Promise<Started> {
  const key = newKey(world);
  world.model.plan(key, options);
  const account = options.account ?? world.account;
  const body = {
    ...(options.agentId && { agent_id: options.agentId }),
    ...(options.conversationId && { conversation_id: options.conversationId }),
    ...(options.hasWebhook !== false && { webhook_url: world.webhookUrl }),
    ...(options.limit !== undefined && { max_credits: options.limit, on_budget: "wait" }),
    ...(options.ifBusy && { if_busy: options.ifBusy }),
    ...(options.endUser && { end_user: options.endUser }),
    input: { text: `Please answer. [[run:${key}]]` },
    metadata: { key },
  };
  const processes = options.processes ?? world.processes.map((_, index) => index);
  const path = options.path ?? "/v1/runs";
  let tries = 0;
  const runId = await until(
    `the run ${key} to be accepted`,
    async () => {
      const api = world.api(processes[tries++ % processes.length] ?? 0, account);
      return accept(api, path, key, body);
    },
    { everyMs: 100, deadlineMs: 180_000 },
  );
  return { key, runId, account, path, hasWebhook: options.hasWebhook !== false };
}

/** The id of the accepted run; null when it is worth another try. */
export async function accept(
  api: ApiClient,
  path: string,
  key: string,
  body: object,
): Promise<string | null> {
  const answer = await api
    .post(path, body, { headers: { "idempotency-key": key }, signal: AbortSignal.timeout(20_000) })
    .catch(() => null);
  if (answer === null || answer.status >= 500) return null;
  // Required by the schema.
  if (answer.status === 202) return String((answer.json() as { run_id: string }).run_id);
  // The first try is still at work, or its process died in it.
  if (answer.status === 409 && answer.text.includes("IDEMPOTENCY")) return null;
  // The run that it would have interrupted has just given way to another.
  const interrupts = "if_busy" in body && body.if_busy === "interrupt";
  if (interrupts && answer.status === 409 && answer.text.includes("CONVERSATION_BUSY")) return null;
  throw new Error(`The run ${key} was refused with ${answer.status}: ${answer.text}`);
}

export function startRuns(
  world: World,
  count: number,
  options: StartOptions = {},
): Promise<Started[]> {
  return Promise.all(Array.from({ length: count }, () => startRun(world, options)));
}

/** Waits until each of these runs has been asked of the model for the first time. */
export async function untilAsked(world: World, runs: Started[]): Promise<void> {
  await until("the model to be asked for all runs", async () =>
    runs.every(({ key }) => world.model.callsOf(key).length > 0),
  );
}

/**
 * Waits until no run is at work any more and no delivery is on its way; tells what is left when the
 * time is over.
 */
export async function untilQuiet(world: World, deadlineMs = 120_000): Promise<void> {
  const left = async () => {
    const runs = await world.query<{ id: string; status: string }>(
      "SELECT id, status FROM runs WHERE completed_at IS NULL",
    );
    const open = await world.query<{ id: string }>(
      "SELECT run_id AS id FROM run_logs WHERE closed_at IS NULL",
    );
    const deliveries = await world.query<{ id: string }>(
      "SELECT run_id AS id FROM webhook_deliveries WHERE status = 'pending'",
    );
    return { runs, open, deliveries };
  };
  await until(
    "all runs and deliveries to end",
    async () => Object.values(await left()).every((rows) => rows.length === 0),
    {
      deadlineMs,
      everyMs: 250,
    },
  ).catch(async (error: Error) => {
    throw new Error(`${error.message} Left: ${JSON.stringify(await left()).slice(0, 2_000)}`);
  });
}
