import "server-only";
import { z } from "zod";
import { appRunResultSchema } from "@/lib/api/apps/app-run-schemas";
import { idField } from "@/lib/api/v1/schemas/fields";
import { runErrorSchema } from "@/lib/api/v1/schemas/run-schemas";

const ids = {
  runId: idField.meta({ description: "Deduplicate by it: a delivery may arrive more than once." }),
  threadId: idField.nullable().meta({ description: "The same as `conversationId`; kept for compatibility." }),
  conversationId: idField.nullable(),
};

/** What is sent to a run's `webhook_url` (specification §6.2). */
export const webhookPayloadSchema = z
  .discriminatedUnion("status", [
    z.object({ ...ids, status: z.literal("completed"), result: appRunResultSchema }).meta({ id: "RunCompletedWebhook" }),
    z.object({ ...ids, status: z.literal("failed"), error: runErrorSchema }).meta({
      id: "RunFailedWebhook",
      description: "Of a cancelled run too, with `RUN_CANCELLED`.",
    }),
  ])
  .meta({ id: "RunWebhook", description: "The end of a run. New fields may be added." });
