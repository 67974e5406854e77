import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { idField, listOf, listQuery, timeField } from "@/lib/api/schemas/fields";
import {
  type AuditEvent,
  type AuditFilter,
  listAllAuditEvents,
  listAuditEvents,
} from "@/lib/domain/audit/list-audit-events";
import { ACTOR_KINDS, AUDIT_ACTION_NAMES } from "@/lib/model/audit";

const auditEventSchema = z
  .object({
    audit_event_id: idField,
    /** One of today's acts, or one that an older version of the service knew. */
    action: z.string(),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: idField.nullable(),
      label: z.string().nullable(),
    }),
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    object: z
      .object({ kind: z.string(), id: idField.nullable(), label: z.string().nullable() })
      .nullable(),
    changes: z.record(z.string(), z.unknown()),
    created_at: timeField,
  })
  .meta({ id: "AuditEvent" });

const adminAuditEventSchema = auditEventSchema
  .extend({ account_id: idField.nullable(), account_email: z.string().nullable() })
  .meta({ id: "AdminAuditEvent" });

function toAuditEvent(event: AuditEvent): z.output<typeof auditEventSchema> {
  return {
    audit_event_id: event.id,
    action: event.action,
    actor: { kind: event.actorKind, id: event.actorId, label: event.actorLabel },
    address: event.address,
    user_agent: event.userAgent,
    object:
      event.objectKind === null
        ? null
        : { kind: event.objectKind, id: event.objectId, label: event.objectLabel },
    changes: event.changes,
    created_at: event.createdAt.toISOString(),
  };
}

const filterQuery = {
  ...listQuery,
  action: z.enum(AUDIT_ACTION_NAMES).optional(),
  created_after: timeField.optional(),
  created_before: timeField.optional(),
};

function toFilter(query: {
  action?: AuditFilter["action"];
  created_after?: string;
  created_before?: string;
}): AuditFilter {
  return {
    action: query.action ?? null,
    after: query.created_after ? new Date(query.created_after) : null,
    before: query.created_before ? new Date(query.created_before) : null,
  };
}

const listAuditEventsOperation = operation({
  method: "GET",
  path: "/api/console/audit-events",
  operationId: "listAuditEvents",
  tag: "Console",
  summary: "List what happened in the account",
  description:
    "The account's audit log, newest first: who did what, when, from where, and what changed.",
  auth: "session",
  query: z.object(filterQuery),
  responses: [{ status: 200, description: "A page of events.", schema: listOf(auditEventSchema) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return {
      status: 200,
      body: toList(await listAuditEvents(principal, query, toFilter(query)), toAuditEvent),
    };
  },
});

const listAllAuditEventsOperation = operation({
  method: "GET",
  path: "/api/console/admin/audit-events",
  operationId: "listAllAuditEvents",
  tag: "Console",
  summary: "List what happened in every account",
  description: "The whole service's audit log, newest first; for admins.",
  auth: "session",
  admin: true,
  query: z.object({ ...filterQuery, account_id: idField.optional() }),
  responses: [
    { status: 200, description: "A page of events.", schema: listOf(adminAuditEventSchema) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    const page = await listAllAuditEvents(principal, query, {
      ...toFilter(query),
      accountId: query.account_id ?? null,
    });
    const toRow = (event: AuditEvent) => ({
      ...toAuditEvent(event),
      account_id: event.accountId,
      account_email: event.accountEmail,
    });
    return { status: 200, body: toList(page, toRow) };
  },
});

export const AUDIT_OPERATIONS: Operation[] = [
  listAuditEventsOperation,
  listAllAuditEventsOperation,
];
