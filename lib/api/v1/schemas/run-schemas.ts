import "server-only";
import { z } from "zod";
import { creditsField, idField, metadataField, nullableTime, timeField, webhookUrlField } from "@/lib/api/v1/schemas/fields";
import { INPUT_MAX_BYTES, INPUT_MAX_CHARACTERS } from "@/lib/model/limits";
import { RUN_FAILURE_CODES } from "@/lib/model/run/run-failure";
import { EDIT_STATUSES, RUN_KINDS, RUN_STATUSES } from "@/lib/model/run/run-status";
import { CAPABILITIES } from "@/lib/model/run/usage";
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
        units: z.number().meta({ description: "Images, seconds of video or characters of speech; else 0." }),
        credits: z.number(),
      }),
    ),
  })
  .meta({ id: "Usage", description: "Credits attributed to the run, with a row per model and capability. The rows add up." });

export const artifactSchema = z
  .object({ id: idField, title: z.string(), type: z.string(), url: z.string(), name: z.string(), size_bytes: z.number().int() })
  .meta({ id: "Artifact", description: "A file that the run made. `url` works for 15 minutes and is renewed at each fetch of the run." });

export const runResultSchema = z
  .looseObject({
    text: z.string().meta({ description: "The final answer." }),
    agent_id: idField.optional().meta({ description: "The agent that a creation made, or that ran." }),
    agent_name: z.string().optional(),
    artifacts: z.array(artifactSchema),
    data: z.unknown().optional().meta({ description: "The structured output, where the agent's config has an `output_schema`." }),
    raw_output: z.string().optional().meta({ description: "The whole transcript; with `raw_output=true` only." }),
  })
  .meta({ id: "RunResult" });

/** Why a run failed. */
export const runFailureCodeSchema = z
  .enum(RUN_FAILURE_CODES)
  .meta({ id: "RunFailureCode", description: "Stable. Codes may be added: treat one that you do not know as `EXECUTION_FAILED`." });

export const runErrorSchema = z
  .object({ code: runFailureCodeSchema, message: z.string().meta({ description: "Safe for a person to read." }) })
  .meta({ id: "RunError" });

/** The field `model` of requests: the published list is written into the document, and held by the domain, which names it in its message. */
export const modelField = z.string().max(200).meta({ id: "ModelId", description: "A model of the published list, as `provider/name`." });

export const runSchema = z
  .object({
    run_id: idField,
    kind: z.enum(RUN_KINDS).meta({ description: "What started it." }),
    status: z.enum(RUN_STATUSES).meta({ description: "`completed`, `failed` and `cancelled` are final." }),
    agent_id: idField.nullable().meta({ description: "The agent that ran; of a creation null until the agent exists." }),
    conversation_id: idField.nullable().meta({ description: "Continue it with a later run." }),
    workspace_id: idField.nullable(),
    model: z.string().meta({ description: "As `provider/name`." }),
    metadata: z.record(z.string(), z.string()).meta({ description: "Your own pairs." }),
    requires_action: z
      .object({ type: z.literal("approval"), approval_id: idField })
      .nullable()
      .meta({ description: "What a running run waits for; else null." }),
    input: z.record(z.string(), z.unknown()).optional().meta({ description: "What the run was given; only with `include_input=true`." }),
    result: runResultSchema.nullable().meta({ description: "Of a completed run." }),
    usage: usageSchema,
    error: runErrorSchema.nullable().meta({ description: "Of a failed run." }),
    created_at: timeField,
    started_at: nullableTime,
    completed_at: nullableTime.meta({ description: "When it ended, whichever way." }),
    webhook_delivered_at: nullableTime.meta({ description: "When `webhook_url` first answered 2xx." }),
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
  .meta({ minLength: 1, description: "What you want, in plain language.", example: "An agent that summarises a CSV of sales by region" });

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
    should_notify: z
      .boolean()
      .optional()
      .meta({ description: "Tell the account's owners in the console, and by e-mail where the operator set mail up, when the run ends." }),
  })
  .meta({ id: "CreateRunRequest" });
