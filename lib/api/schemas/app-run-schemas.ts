import "server-only";
import { z } from "zod";
import { appActionsFields } from "@/lib/api/schemas/action-schemas";
import {
  creditsField,
  EXAMPLE_IDS,
  idField,
  metadataField,
  nullableTime,
  timeField,
  webhookUrlField,
} from "@/lib/api/schemas/fields";
import { inputField, modelField, runErrorSchema } from "@/lib/api/schemas/run-schemas";
import { CAPABILITIES } from "@/lib/model/run/run-result";
import { RUN_STATUSES } from "@/lib/model/run/run-status";

const usageRow = z.object({
  model: z.string(),
  capability: z.enum(CAPABILITIES),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cachedInputTokens: z.number().int(),
  units: z.number(),
  credits: z.number(),
});

/** A run's result in the words of the app-scoped path and of webhooks. */
const appRunResultSchema = z
  .looseObject({
    text: z.string(),
    agentId: idField.optional(),
    agentName: z.string().optional(),
    artifacts: z.array(
      z.object({
        id: idField,
        title: z.string(),
        type: z.string(),
        url: z.string(),
        name: z.string(),
        sizeBytes: z.number().int(),
      }),
    ),
    data: z.unknown().optional(),
  })
  .meta({ id: "AppRunResult" });

export const appRunSchema = z
  .object({
    runId: idField,
    appId: idField,
    status: z.enum(RUN_STATUSES),
    conversationId: idField.nullable(),
    threadId: idField.nullable().meta({ description: "The same as `conversationId`." }),
    workspaceId: idField.nullable(),
    model: z.string(),
    metadata: z.record(z.string(), z.string()),
    requiresAction: z
      .discriminatedUnion("type", [
        z.object({ type: z.literal("approval"), approvalId: idField }),
        z.object({
          type: z.literal("client_tool"),
          calls: z.array(
            z.object({ toolCallId: z.string(), name: z.string(), arguments: z.unknown() }),
          ),
        }),
      ])
      .nullable(),
    result: appRunResultSchema.nullable(),
    ...appActionsFields,
    usage: z.object({ credits: z.number(), breakdown: z.array(usageRow) }),
    error: runErrorSchema.nullable(),
    createdAt: timeField,
    startedAt: nullableTime,
    completedAt: nullableTime,
    webhookDeliveredAt: nullableTime,
  })
  .meta({ id: "AppRun", description: "A run of the app-scoped path." });

/** A page of them: camelCase here too. */
export const appRunPageSchema = z
  .object({ data: z.array(appRunSchema), hasMore: z.boolean(), nextCursor: z.string().nullable() })
  .meta({ id: "AppRunPage" });

export const createAppRunBody = z
  .strictObject({
    inputs: inputField,
    conversationId: idField.optional(),
    webhookUrl: webhookUrlField.optional(),
    shouldNotify: z.boolean().optional(),
    workspaceId: idField.optional(),
    model: modelField.optional(),
    metadata: metadataField.optional(),
    maxCredits: creditsField.optional(),
  })
  .meta({ id: "CreateAppRunRequest" });

const ids = {
  runId: idField.meta({ description: "Deduplicate by it: a delivery may arrive more than once." }),
  threadId: idField
    .nullable()
    .meta({ description: "The same as `conversationId`; kept for compatibility." }),
  conversationId: idField.nullable(),
};

/** What is sent to a run's `webhook_url` (specification §6.2). */
export const webhookPayloadSchema = z
  .discriminatedUnion("status", [
    z
      .object({ ...ids, status: z.literal("completed"), result: appRunResultSchema })
      .meta({ id: "RunCompletedWebhook" }),
    z.object({ ...ids, status: z.literal("failed"), error: runErrorSchema }).meta({
      id: "RunFailedWebhook",
      description: "Of a cancelled run too, with `RUN_CANCELLED`.",
    }),
  ])
  .meta({ id: "RunWebhook", description: "The end of a run. New fields may be added." });

const exampleIds = {
  runId: EXAMPLE_IDS.run_id,
  threadId: EXAMPLE_IDS.conversation_id,
  conversationId: EXAMPLE_IDS.conversation_id,
};

/** The ends of a run as they may be sent. */
export const WEBHOOK_EXAMPLES = {
  completed: {
    value: {
      ...exampleIds,
      status: "completed",
      result: {
        text: "March, May and July were the best months.",
        agentId: EXAMPLE_IDS.agent_id,
        agentName: "Sales reader",
        artifacts: [],
      },
    },
  },
  cancelled: {
    value: {
      ...exampleIds,
      status: "failed",
      error: { code: "RUN_CANCELLED", message: "The run was cancelled." },
    },
  },
};
