import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { idField, listOf, listQuery, timeField } from "@/lib/api/v1/schemas/fields";
import { endOtherSessions, endSession, endSessions } from "@/lib/domain/sessions/end-sessions";
import { listSessions, type SessionView } from "@/lib/domain/sessions/list-sessions";

const sessionSchema = z
  .object({
    session_id: idField,
    address: z.string(),
    user_agent: z.string(),
    created_at: timeField,
    last_seen_at: timeField,
    expires_at: timeField,
    /** Whether it is the one that asks. */
    current: z.boolean(),
  })
  .meta({ id: "Session" });

function toSession(session: SessionView): z.output<typeof sessionSchema> {
  return {
    session_id: session.id,
    address: session.address,
    user_agent: session.userAgent,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    current: session.isCurrent,
  };
}

const listSessionsOperation = operation({
  method: "GET",
  path: "/api/console/sessions",
  operationId: "listSessions",
  tag: "Console",
  summary: "List the user's sessions",
  description: "Where the signed-in user is signed in, newest first.",
  auth: "session",
  query: z.object(listQuery),
  responses: [{ status: 200, description: "A page of sessions.", schema: listOf(sessionSchema) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listSessions(principal, query), toSession) };
  },
});

const endSessionOperation = operation({
  method: "POST",
  path: "/api/console/sessions/{session_id}/end",
  operationId: "endSession",
  tag: "Console",
  summary: "End a session",
  description: "Ends one session of the signed-in user.",
  auth: "session",
  params: z.object({ session_id: idField }),
  responses: [{ status: 204, description: "Ended." }],
  errors: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, params }) {
    await endSession(principal, params.session_id);
    return { status: 204 };
  },
});

const endOtherSessionsOperation = operation({
  method: "POST",
  path: "/api/console/sessions/end-others",
  operationId: "endOtherSessions",
  tag: "Console",
  summary: "End all other sessions",
  description: "Ends every session of the user but this one.",
  auth: "session",
  responses: [{ status: 204, description: "Ended; this session goes on." }],
  errors: [],
  async handle({ principal }) {
    await endOtherSessions(principal);
    return { status: 204 };
  },
});

const endSessionsOperation = operation({
  method: "POST",
  path: "/api/console/sessions/end",
  operationId: "endSessions",
  tag: "Console",
  summary: "Sign out everywhere",
  description: "Ends every session of the user, this one too.",
  auth: "session",
  responses: [{ status: 204, description: "Ended; sign in again." }],
  errors: [],
  async handle({ principal }) {
    await endSessions(principal);
    return { status: 204 };
  },
});

export const SESSION_OPERATIONS: Operation[] = [
  listSessionsOperation,
  endSessionOperation,
  endOtherSessionsOperation,
  endSessionsOperation,
];
