import "server-only";
import type { z } from "zod";
import type { realtimeRunBody } from "@/lib/api/v1/schemas/run-schemas";
import { toMicros } from "@/lib/model/run/usage";

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
