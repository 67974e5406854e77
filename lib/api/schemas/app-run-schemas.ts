import "server-only";
import { z } from "zod";
import { creditsField, idField, metadataField, nullableTime, timeField, webhookUrlField } from "@/lib/api/schemas/fields";
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
export const appRunResultSchema = z
  .looseObject({
    text: z.string(),
    agentId: idField.optional(),
    agentName: z.string().optional(),
    artifacts: z.array(
      z.object({ id: idField, title: z.string(), type: z.string(), url: z.string(), name: z.string(), sizeBytes: z.number().int() }),
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
          calls: z.array(z.object({ toolCallId: z.string(), name: z.string(), arguments: z.unknown() })),
        }),
      ])
      .nullable(),
    result: appRunResultSchema.nullable(),
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
