import "server-only";
import { z } from "zod";
import type { Call, Reply } from "@/lib/api/http/operation";
import { actionsFields } from "@/lib/api/schemas/action-schemas";
import { idField, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { ifBusyField } from "@/lib/api/schemas/if-busy-field";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { Idempotency, Replay, StartedRun } from "@/lib/domain/runs/accept-run";
import type { RunFilter } from "@/lib/domain/runs/list-runs";
import { hashRequest } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { namedEndUserField } from "@/lib/model/end-user";
import { INPUT_MAX_BYTES, INPUT_MAX_CHARACTERS, METADATA_MAX_PAIRS } from "@/lib/model/limits";
import { modelField, RUN_FIELDS } from "@/lib/model/run/run-fields";
import type { IfBusy } from "@/lib/model/run/run-message";
import { runErrorSchema, runResultSchema, usageSchema } from "@/lib/model/run/run-result-schemas";
import {
  EDIT_STATUSES,
  RUN_STATUSES,
  type RunStatus,
  toEditStatus,
} from "@/lib/model/run/run-status";
import { textOf } from "@/lib/model/text-of";

export const builderModelField = modelField.meta({
  description:
    "The model that builds or changes the agent, of the published list; the operator's " +
    "`BUILDER_MODEL` by default.",
});

const WIRE = wireOf(RUN_FIELDS);

export const runSchema = z
  .object({
    ...WIRE.shown,
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "What the run was given; only with `include_input=true`." }),
    message_id: idField.optional().meta({
      description: "The message that the request became; only in the answer to `if_busy: steer`.",
    }),
    ...actionsFields,
  })
  .meta({ id: "Run" });

/** A run that was accepted just now. */
export const EXAMPLE_PENDING_RUN: z.output<typeof runSchema> = WIRE.example;

export const editRunSchema = z
  .object({
    run_id: idField,
    agent_id: idField,
    status: z.enum(EDIT_STATUSES),
    conversation_id: idField.nullable(),
    result: runResultSchema.nullable(),
    usage: usageSchema,
    error: runErrorSchema.nullable(),
    created_at: timeField,
    started_at: nullableTime,
    completed_at: nullableTime,
    ...actionsFields,
  })
  .meta({ id: "EditRun" });

const LENGTH_MAX = `${INPUT_MAX_CHARACTERS} characters and ${INPUT_MAX_BYTES} bytes of UTF-8`;
const TOO_LONG = `must have at most ${LENGTH_MAX}`;

/** The plain-language request of a creation or an edit. */
export const sentenceField = textOf(INPUT_MAX_CHARACTERS, { message: TOO_LONG })
  .refine((text) => Buffer.byteLength(text, "utf8") <= INPUT_MAX_BYTES, TOO_LONG)
  .refine((text) => text.trim().length > 0, "must say what you want")
  .meta({
    minLength: 1,
    description: "What you want, in plain language.",
    example: "An agent that summarises a CSV of sales by region",
  });

export const createRunBody = z
  .strictObject({ ...WIRE.given, if_busy: ifBusyField.optional() })
  .meta({ id: "CreateRunRequest" });

/** Whoever reads its stream is not told of its end. */
export const realtimeRunBody = createRunBody
  .omit({ webhook_url: true, should_notify: true })
  .meta({ id: "RealtimeRunRequest" });

/** What a replay says of its run beside the model: what it is of stays. */
export const REPLAY_SAID = z.strictObject(WIRE.changes).omit({
  agent_id: true,
  input: true,
  conversation_id: true,
  workspace_id: true,
  model: true,
  version: true,
}).shape;

/** What a body that starts a run says, in the domain's words. */
export function toRunInput({ if_busy: ifBusy, ...body }: RunBody) {
  return { ...WIRE.fromBody(body), ...(ifBusy && { ifBusy }) };
}

type RunBody = Parameters<typeof WIRE.fromBody>[0] & { if_busy?: IfBusy | undefined };

/** The same of a replay: what its body leaves out is not there. */
export const toRunChanges = WIRE.fromChanges;

/** A run in the words of `/v1`. Artifact urls are signed anew. */
export function toRun(run: StartedRun, baseUrl: string) {
  return {
    ...WIRE.toWire(run),
    ...(run.message && { message_id: run.message.messageId }),
    result: run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl }),
  };
}

/** The same row as an edit run (specification §2.3). */
export function toEditRun(run: RunView, baseUrl: string) {
  const shown = toRun(run, baseUrl);
  return {
    run_id: shown.run_id,
    agent_id: shown.agent_id,
    status: toEditStatus(run.status),
    conversation_id: shown.conversation_id,
    result: shown.result,
    usage: shown.usage,
    error: shown.error,
    created_at: shown.created_at,
    started_at: shown.started_at,
    completed_at: shown.completed_at,
  };
}

/** What `acceptRun` needs to keep an `Idempotency-Key`; undefined without one. */
export function idempotency(
  call: Call<unknown, unknown, unknown>,
  route: string,
  toBody: (run: StartedRun) => unknown,
): Idempotency | undefined {
  if (call.idempotencyKey === null) return undefined;
  return {
    route: `${route} ${JSON.stringify(call.params ?? {})}`,
    key: call.idempotencyKey,
    // Of a request without a body there is nothing to tell apart.
    requestHash: hashRequest(call.body ?? null),
    answer: (run) => ({ status: 202, body: JSON.stringify(toBody(run)) }),
  };
}

/** 202 with the run, or the first answer again. */
export function acceptedReply(
  accepted: StartedRun | Replay,
  toBody: (run: StartedRun) => unknown,
  locationOf = (runId: string) => `/v1/runs/${runId}`,
): Reply<202> {
  if ("replayed" in accepted) {
    // Our own stored answer.
    const body = JSON.parse(accepted.body) as { run_id?: string; runId?: string };
    return {
      status: accepted.status as 202, // our own stored answer, too
      body,
      headers: {
        "Idempotency-Replayed": "true",
        Location: locationOf(body.run_id ?? body.runId ?? ""),
      },
    };
  }
  return { status: 202, body: toBody(accepted), headers: { Location: locationOf(accepted.id) } };
}

const STATUSES: ReadonlySet<string> = new Set(RUN_STATUSES);

const statusList = z
  .string()
  .refine(
    (text) => text.split(",").every((status) => STATUSES.has(status)),
    `must be a comma list of ${RUN_STATUSES.join(", ")}`,
  )
  .transform((text) => text.split(",") as RunStatus[]) // each was found in the set above
  .meta({
    description: `A comma list of ${RUN_STATUSES.join(", ")}.`,
    override: { type: "string", example: "pending,running" },
  });

/** The filters of the run lists. */
export const runFilterQuery = z.object({
  ...listQuery,
  status: statusList.optional(),
  agent_id: idField.optional().meta({ description: "Only runs of this agent." }),
  conversation_id: idField.optional().meta({ description: "Only runs of this conversation." }),
  end_user: namedEndUserField.optional().meta({ description: "Only runs for this person." }),
  created_after: timeField.optional().meta({
    description: "Only runs accepted after this time.",
    examples: ["2026-01-01T00:00:00.000Z"],
  }),
  created_before: timeField.optional().meta({
    description: "Only runs accepted before this time.",
    examples: ["2036-01-01T00:00:00.000Z"],
  }),
  metadata: z
    .record(z.string(), z.string())
    .refine(
      (pairs) => Object.keys(pairs).length <= METADATA_MAX_PAIRS,
      `may have at most ${METADATA_MAX_PAIRS} pairs`,
    )
    .optional()
    .meta({
      description: "`metadata[key]=value`: only runs with each of these pairs.",
      examples: [{ customer: "c_42" }],
      param: { style: "deepObject", explode: true },
    }),
});

/** The filters of the list that runs which others have started stand in. */
export const runsQuery = runFilterQuery.extend({
  parent_run_id: idField.optional().meta({
    description: "Only runs that this run has started, an agent's or the super-agent's.",
  }),
});

export function toRunFilter(
  query: z.output<typeof runFilterQuery> & Pick<z.output<typeof runsQuery>, "parent_run_id">,
  kinds: RunFilter["kinds"],
): RunFilter {
  return {
    kinds,
    statuses: query.status ?? null,
    agentId: query.agent_id ?? null,
    conversationId: query.conversation_id ?? null,
    createdAfter: query.created_after ? new Date(query.created_after) : null,
    createdBefore: query.created_before ? new Date(query.created_before) : null,
    endUser: query.end_user ?? null,
    parentRunId: query.parent_run_id ?? null,
    metadata: query.metadata ?? {},
  };
}
