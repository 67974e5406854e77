import "server-only";
import type { z } from "zod";
import type { appRunSchema } from "@/lib/api/apps/app-run-schemas";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";

/** A run of the app-scoped path that was accepted just now. */
export const EXAMPLE_APP_RUN: z.output<typeof appRunSchema> = {
  runId: EXAMPLE_IDS.run_id,
  appId: EXAMPLE_IDS.agent_id,
  status: "pending",
  conversationId: EXAMPLE_IDS.conversation_id,
  threadId: EXAMPLE_IDS.conversation_id,
  workspaceId: null,
  model: "anthropic/claude-sonnet-4-5",
  metadata: {},
  requiresAction: null,
  result: null,
  usage: { credits: 0, breakdown: [] },
  error: null,
  createdAt: "2026-01-31T09:30:00.000Z",
  startedAt: null,
  completedAt: null,
  webhookDeliveredAt: null,
};
