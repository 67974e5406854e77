import "server-only";
import { z } from "zod";
import { appRunResultSchema } from "@/lib/api/schemas/app-run-schemas";
import { EXAMPLE_IDS, idField } from "@/lib/api/schemas/fields";
import { runErrorSchema } from "@/lib/api/schemas/run-schemas";

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

const exampleIds = { runId: EXAMPLE_IDS.run_id, threadId: EXAMPLE_IDS.conversation_id, conversationId: EXAMPLE_IDS.conversation_id };

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
  cancelled: { value: { ...exampleIds, status: "failed", error: { code: "RUN_CANCELLED", message: "The run was cancelled." } } },
};
