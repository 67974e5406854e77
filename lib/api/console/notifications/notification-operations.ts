import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { idField, listOf, listQuery, nullableTime, timeField } from "@/lib/api/schemas/fields";
import { countAttention } from "@/lib/domain/notifications/count-attention";
import {
  listNotifications,
  type NotificationView,
} from "@/lib/domain/notifications/list-notifications";
import { readNotification } from "@/lib/domain/notifications/read-notification";
import { readNotificationsUpTo } from "@/lib/domain/notifications/read-notifications-up-to";
import { ATTENTION_MAX } from "@/lib/model/limits";
import { RUN_KINDS } from "@/lib/model/run/run-status";

const notificationSchema = z
  .object({
    notification_id: idField,
    run_id: idField.nullable(),
    path: z
      .string()
      .nullable()
      .meta({ description: "Where in the console it is looked at; null: at its run." }),
    run_kind: z.enum(RUN_KINDS).nullable(),
    agent_name: z.string().nullable(),
    title: z.string(),
    body: z.string(),
    read_at: nullableTime,
    created_at: timeField,
  })
  .meta({ id: "ConsoleNotification" });

function toNotification(row: NotificationView) {
  return {
    notification_id: row.id,
    run_id: row.runId,
    path: row.path,
    run_kind: row.runKind,
    agent_name: row.agentName,
    title: row.title,
    body: row.body,
    read_at: row.readAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

const listNotificationsOperation = operation({
  method: "GET",
  path: "/api/console/notifications",
  operationId: "listNotifications",
  tag: "Console",
  summary: "List notifications",
  description: "What runs with `should_notify` reported, newest first.",
  auth: "session",
  query: z.object(listQuery),
  responses: [
    { status: 200, description: "A page of notifications.", schema: listOf(notificationSchema) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listNotifications(principal, query), toNotification) };
  },
});

const readNotificationOperation = operation({
  method: "POST",
  path: "/api/console/notifications/{notification_id}/read",
  operationId: "readNotification",
  tag: "Console",
  summary: "Mark a notification as read",
  description: "Again changes nothing.",
  auth: "session",
  params: z.object({ notification_id: idField }),
  responses: [{ status: 204, description: "Read." }],
  errors: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, params }) {
    await readNotification(principal, params.notification_id);
    return { status: 204 };
  },
});

const readNotificationsOperation = operation({
  method: "POST",
  path: "/api/console/notifications/read",
  operationId: "readNotifications",
  tag: "Console",
  summary: "Mark notifications as read",
  description: "Marks the notification `up_to` and all older ones; what came since stays unread.",
  auth: "session",
  body: z.strictObject({ up_to: idField }),
  responses: [{ status: 204, description: "Read." }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await readNotificationsUpTo(principal, body.up_to);
    return { status: 204 };
  },
});

export const NOTIFICATION_OPERATIONS: Operation[] = [
  listNotificationsOperation,
  readNotificationOperation,
  readNotificationsOperation,
];

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
    {
      status: 200,
      description: "The counts.",
      schema: z.object({ pending_approvals: countField, unread_notifications: countField }),
    },
  ],
  errors: [],
  async handle({ principal }) {
    const { pendingApprovals, unreadNotifications } = await countAttention(principal);
    return {
      status: 200,
      body: { pending_approvals: pendingApprovals, unread_notifications: unreadNotifications },
    };
  },
});
