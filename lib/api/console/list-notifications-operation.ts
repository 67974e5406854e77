import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { idField, listOf, listQuery, nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import { listNotifications } from "@/lib/domain/notifications/list-notifications";

const notificationSchema = z.object({
  notification_id: idField,
  run_id: idField,
  title: z.string(),
  body: z.string(),
  read_at: nullableTime,
  created_at: timeField,
});

export const listNotificationsOperation = operation({
  method: "GET",
  path: "/api/console/notifications",
  operationId: "listNotifications",
  tag: "Console",
  summary: "List notifications",
  description: "What runs with `should_notify` reported, newest first.",
  auth: "session",
  query: z.object(listQuery),
  responses: [{ status: 200, description: "A page of notifications.", schema: listOf(notificationSchema) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const page = await listNotifications(principal, query);
    const body = toList(page, (row) => ({
      notification_id: row.id,
      run_id: row.runId,
      title: row.title,
      body: row.body,
      read_at: row.readAt?.toISOString() ?? null,
      created_at: row.createdAt.toISOString(),
    }));
    return { status: 200, body };
  },
});
