import "server-only";
import { eventType } from "inngest";
import { z } from "zod";

/** A run was accepted and waits to be worked on. */
export const runAccepted = eventType("run/accepted", { schema: z.object({ run_id: z.string() }) });
/** A run was cancelled; what still works for it ends. */
export const runCancelled = eventType("run/cancelled", { schema: z.object({ run_id: z.string() }) });
/** A person decided, or the time to decide ran out. */
export const approvalResolved = eventType("approval/resolved", { schema: z.object({ run_id: z.string(), approval_id: z.string() }) });
/** A webhook's delivery is due. */
export const webhookRequested = eventType("webhook/requested", {
  schema: z.object({ delivery_id: z.string(), round: z.number().int().optional() }),
});
/** A run with `should_notify` has ended; its owners get a mail. */
export const notificationCreated = eventType("notification/created", { schema: z.object({ notification_id: z.string() }) });
