import "server-only";
import { z } from "zod";
import type { Call, Reply } from "@/lib/api/http/operation";
import { actionsFields } from "@/lib/api/schemas/action-schemas";
import {
  creditsField,
  idField,
  listQuery,
  metadataField,
  nullableTime,
  timeField,
  webhookUrlField,
} from "@/lib/api/schemas/fields";
import { signArtifacts } from "@/lib/domain/artifacts/sign-artifacts";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import type { RunFilter } from "@/lib/domain/runs/list-runs";
import { hashRequest } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { INPUT_MAX_BYTES, INPUT_MAX_CHARACTERS, METADATA_MAX_PAIRS } from "@/lib/model/limits";
import { RUN_FAILURE_CODES } from "@/lib/model/run/run-failure";
import { BUILD_NEEDS, BUILD_OUTCOMES, CAPABILITIES, toMicros } from "@/lib/model/run/run-result";
import {
  EDIT_STATUSES,
  RUN_KINDS,
  RUN_STATUSES,
  type RunStatus,
  toEditStatus,
} from "@/lib/model/run/run-status";
import { textOf } from "@/lib/model/text-of";

export const usageSchema = z
  .object({
    credits: z.number(),
    breakdown: z.array(
      z.object({
        model: z.string(),
        capability: z.enum(CAPABILITIES),
        input_tokens: z.number().int(),
        output_tokens: z.number().int(),
        cached_input_tokens: z.number().int().meta({ description: "Part of `input_tokens`." }),
        units: z
          .number()
          .meta({ description: "Images, seconds of video or characters of speech; else 0." }),
        credits: z.number(),
      }),
    ),
  })
  .meta({
    id: "Usage",
    description:
      "Credits attributed to the run, with a row per model and capability. The rows add up.",
  });

export const artifactSchema = z
  .object({
    id: idField,
    title: z.string(),
    type: z.string(),
    url: z.string(),
    name: z.string(),
    size_bytes: z.number().int(),
  })
  .meta({
    id: "Artifact",
    description:
      "A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run.",
  });

const buildReportSchema = z
  .object({
    outcome: z.enum(BUILD_OUTCOMES).meta({
      description:
        "`built`: stored. `unchanged`: there was nothing to change. `question`: answer it by `conversation_id`. `refused`: see `text`.",
    }),
    assumptions: z
      .array(z.string())
      .meta({ description: "What the request left open, and how it was taken." }),
    left_out: z
      .array(z.string())
      .meta({ description: "What of the request the agent does not do, and why." }),
    needs: z
      .array(z.object({ kind: z.enum(BUILD_NEEDS), text: z.string() }))
      .meta({ description: "What somebody has to add before the agent can do its work." }),
    question: z.string().nullable().meta({ description: "What the builder asks back." }),
  })
  .meta({
    id: "BuildReport",
    description: "What a creation or an edit came to; `text` says the same in words.",
  });

export const runResultSchema = z
  .looseObject({
    text: z.string().meta({ description: "The final answer." }),
    agent_id: idField.optional().meta({
      description: "The agent that ran, or that was built or changed; absent where there is none.",
    }),
    agent_name: z.string().optional(),
    artifacts: z.array(artifactSchema),
    data: z.unknown().optional().meta({
      description: "The structured output, where the agent's config has an `output_schema`.",
    }),
    build: buildReportSchema.optional().meta({ description: "Of a creation or an edit." }),
    raw_output: z
      .string()
      .optional()
      .meta({ description: "The whole transcript; with `raw_output=true` only." }),
  })
  .meta({ id: "RunResult" });

/** Why a run failed. */
const runFailureCodeSchema = z.enum(RUN_FAILURE_CODES).meta({
  id: "RunFailureCode",
  description: "Stable. Codes may be added: treat one that you do not know as `EXECUTION_FAILED`.",
});

export const runErrorSchema = z
  .object({
    code: runFailureCodeSchema,
    message: z.string().meta({ description: "Safe for a person to read." }),
  })
  .meta({ id: "RunError" });

/**
 * The field `model` of requests: the published list is written into the document, and held by the
 * domain, which names it in its message.
 */
export const modelField = z.string().max(200).meta({
  id: "ModelId",
  description:
    "A model of the published list, as `provider/name`, or an alias that stands for the newest of its family, such as `anthropic/latest-sonnet`.",
});

export const builderModelField = modelField.meta({
  description:
    "The model that builds or changes the agent, of the published list; the operator's `BUILDER_MODEL` by default.",
});

export const runSchema = z
  .object({
    run_id: idField,
    kind: z.enum(RUN_KINDS).meta({ description: "What started it." }),
    status: z
      .enum(RUN_STATUSES)
      .meta({ description: "`completed`, `failed` and `cancelled` are final." }),
    agent_id: idField
      .nullable()
      .meta({ description: "The agent that ran; of a creation null until the agent exists." }),
    conversation_id: idField.nullable().meta({ description: "Continue it with a later run." }),
    workspace_id: idField.nullable(),
    model: z.string().meta({ description: "As `provider/name`." }),
    replayed_from: idField
      .nullable()
      .meta({ description: "The run that it replays; it may have been deleted since." }),
    agent_version: z.number().int().nullable().meta({
      description:
        "The number of the agent's version that a replay keeps to; null where it works by the agent as it is.",
    }),
    metadata: z.record(z.string(), z.string()).meta({ description: "Your own pairs." }),
    requires_action: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("approval"), approval_id: idField }),
        z.object({
          type: z.literal("client_tool"),
          calls: z
            .array(z.object({ tool_call_id: z.string(), name: z.string(), arguments: z.unknown() }))
            .meta({ description: "The calls that have no result yet." }),
        }),
      ])
      .nullable()
      .meta({
        description:
          "What a running run waits for: a decision, or results for its `tool-results`; else null.",
      }),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "What the run was given; only with `include_input=true`." }),
    result: runResultSchema.nullable().meta({ description: "Of a completed run." }),
    ...actionsFields,
    usage: usageSchema,
    error: runErrorSchema.nullable().meta({ description: "Of a failed run." }),
    created_at: timeField,
    started_at: nullableTime,
    completed_at: nullableTime.meta({ description: "When it ended, whichever way." }),
    webhook_delivered_at: nullableTime.meta({
      description: "When `webhook_url` first answered 2xx.",
    }),
  })
  .meta({ id: "Run" });

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
  })
  .meta({ id: "EditRun" });

const TOO_LONG = `must have at most ${INPUT_MAX_CHARACTERS} characters and ${INPUT_MAX_BYTES} bytes of UTF-8`;

/** The plain-language request of a creation or an edit. */
export const sentenceField = textOf(INPUT_MAX_CHARACTERS, { message: TOO_LONG })
  .refine((text) => Buffer.byteLength(text, "utf8") <= INPUT_MAX_BYTES, TOO_LONG)
  .refine((text) => text.trim().length > 0, "must say what you want")
  .meta({
    minLength: 1,
    description: "What you want, in plain language.",
    example: "An agent that summarises a CSV of sales by region",
  });

/** The named inputs of a run, at most 256 KB as JSON. */
export const inputField = z
  .record(z.string(), z.unknown())
  .refine(
    (input) => Buffer.byteLength(JSON.stringify(input), "utf8") <= INPUT_MAX_BYTES,
    `must have at most ${INPUT_MAX_BYTES} bytes as JSON`,
  )
  .meta({
    description: "Named inputs to the agent; checked against its `inputs` schema when it has one.",
    example: { question: "What were the best three months?" },
  });

export const realtimeRunBody = z
  .strictObject({
    agent_id: idField.optional(),
    input: inputField,
    conversation_id: idField.optional(),
    workspace_id: idField.optional(),
    model: modelField.optional(),
    metadata: metadataField.optional(),
    max_credits: creditsField.optional(),
  })
  .meta({ id: "RealtimeRunRequest" });

export const createRunBody = z
  .strictObject({
    ...realtimeRunBody.shape,
    webhook_url: webhookUrlField.optional(),
    should_notify: z.boolean().optional().meta({
      description:
        "Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends.",
    }),
  })
  .meta({ id: "CreateRunRequest" });

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A run in the words of `/v1`. Artifact urls are signed anew. */
export function toRun(run: RunView, baseUrl: string) {
  return {
    run_id: run.id,
    kind: run.kind,
    status: run.status,
    agent_id: run.agentId,
    conversation_id: run.conversationId,
    workspace_id: run.workspaceId,
    model: run.model,
    replayed_from: run.replayedFrom,
    agent_version: run.agentVersion,
    metadata: run.metadata,
    requires_action: run.requiresAction,
    result: run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl }),
    usage: run.usage,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    started_at: time(run.startedAt),
    completed_at: time(run.completedAt),
    webhook_delivered_at: time(run.webhookDeliveredAt),
  };
}

/** The same row as an edit run (specification §2.3). */
export function toEditRun(run: RunView, baseUrl: string) {
  return {
    run_id: run.id,
    agent_id: run.agentId,
    status: toEditStatus(run.status),
    conversation_id: run.conversationId,
    result: run.result && signArtifacts(run.result, { accountId: run.accountId, baseUrl }),
    usage: run.usage,
    error: run.error,
    created_at: run.createdAt.toISOString(),
    started_at: time(run.startedAt),
    completed_at: time(run.completedAt),
  };
}

/** The fields that async and realtime runs share, in the domain's words. */
export function toRunInput(body: z.output<typeof realtimeRunBody>) {
  return {
    agentId: body.agent_id ?? null,
    input: body.input,
    conversationId: body.conversation_id ?? null,
    workspaceId: body.workspace_id ?? null,
    model: body.model ?? null,
    metadata: body.metadata ?? {},
    maxCreditsMicros: body.max_credits === undefined ? null : toMicros(body.max_credits),
  };
}

/** What `acceptRun` needs to keep an `Idempotency-Key`; undefined without one. */
export function idempotency(
  call: Call<unknown, unknown, unknown>,
  route: string,
  toBody: (run: RunView) => unknown,
): Idempotency | undefined {
  if (call.idempotencyKey === null) return undefined;
  return {
    route: `${route} ${JSON.stringify(call.params ?? {})}`,
    key: call.idempotencyKey,
    requestHash: hashRequest(call.body),
    answer: (run) => ({ status: 202, body: JSON.stringify(toBody(run)) }),
  };
}

/** 202 with the run, or the first answer again. */
export function acceptedReply(
  accepted: RunView | Replay,
  toBody: (run: RunView) => unknown,
  locationOf = (runId: string) => `/v1/runs/${runId}`,
): Reply<202> {
  if ("replayed" in accepted) {
    const body = JSON.parse(accepted.body) as { run_id?: string; runId?: string }; // our own stored answer
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

export function toRunFilter(
  query: z.output<typeof runFilterQuery>,
  kinds: RunFilter["kinds"],
): RunFilter {
  return {
    kinds,
    statuses: query.status ?? null,
    agentId: query.agent_id ?? null,
    conversationId: query.conversation_id ?? null,
    createdAfter: query.created_after ? new Date(query.created_after) : null,
    createdBefore: query.created_before ? new Date(query.created_before) : null,
    metadata: query.metadata ?? {},
  };
}
