import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { countAttention } from "@/lib/domain/notifications/count-attention";
import { ATTENTION_MAX } from "@/lib/model/attention";

const countField = z.number().int().min(0).max(ATTENTION_MAX);

export const getAttentionOperation = operation({
  method: "GET",
  path: "/api/console/attention",
  operationId: "getAttention",
  tag: "Console",
  summary: "Count what waits for a person",
  description: `Approvals to decide and unread notifications, each counted up to ${ATTENTION_MAX}.`,
  auth: "session",
  responses: [
    { status: 200, description: "The counts.", schema: z.object({ pending_approvals: countField, unread_notifications: countField }) },
  ],
  errors: [],
  async handle({ principal }) {
    const { pendingApprovals, unreadNotifications } = await countAttention(principal);
    return { status: 200, body: { pending_approvals: pendingApprovals, unread_notifications: unreadNotifications } };
  },
});
