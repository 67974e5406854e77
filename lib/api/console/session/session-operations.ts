import "server-only";
import { z } from "zod";
import { currentPasswordField } from "@/lib/api/console/session/sign-in-operations";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { clientAddressOf } from "@/lib/api/http/request";
import { idField, listOf, listQuery, timeField } from "@/lib/api/schemas/fields";
import { setEventMails } from "@/lib/domain/account/event-mails";
import { renameUser } from "@/lib/domain/account/rename-user";
import { requestAccountDeletion } from "@/lib/domain/deletion/request-account-deletion";
import { endOtherSessions, endSession, endSessions } from "@/lib/domain/sessions/end-sessions";
import { listSessions, type SessionView } from "@/lib/domain/sessions/list-sessions";
import { EMAIL_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";

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
  provenOnly: false,
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
  provenOnly: false,
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
  provenOnly: false,
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

export const renameUserOperation = operation({
  method: "PATCH",
  path: "/api/console/profile",
  operationId: "renameUser",
  provenOnly: false,
  tag: "Console",
  summary: "Change the user's name",
  description:
    "How the signed-in user is called here; an empty name shows the e-mail address instead.",
  auth: "session",
  body: z.strictObject({
    name: z
      .string()
      .trim()
      .max(NAME_MAX_CHARACTERS, `must have at most ${NAME_MAX_CHARACTERS} characters`),
  }),
  responses: [{ status: 204, description: "Changed." }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await renameUser(principal, body.name);
    return { status: 204 };
  },
});

export const setEventMailsOperation = operation({
  method: "PATCH",
  path: "/api/console/notifications/mails",
  operationId: "setEventMails",
  provenOnly: false,
  tag: "Console",
  summary: "Switch mails of events on or off",
  description:
    "Whether the signed-in user is mailed what happens in the account: calls that wait for " +
    "approval, endpoints that were switched off. The end of a run that was started with " +
    "`should_notify` is mailed all the same.",
  auth: "session",
  body: z.strictObject({ event_mails: z.boolean() }),
  responses: [{ status: 204, description: "Kept." }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await setEventMails(principal, body.event_mails);
    return { status: 204 };
  },
});

export const deleteAccountOperation = operation({
  method: "POST",
  path: "/api/console/account/delete",
  operationId: "deleteAccount",
  provenOnly: false,
  tag: "Console",
  summary: "Delete the account",
  description:
    "With everything it owns, for good. Confirmed by the password, or where the user has " +
    "none by the e-mail address. Keys, sessions and runs stop at once.",
  auth: "session",
  body: z.strictObject({
    password: currentPasswordField.optional(),
    email: z.string().max(EMAIL_MAX_CHARACTERS).optional(),
  }),
  creates: ["nothing"],
  responses: [{ status: 202, description: "It is being deleted; every session has ended." }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    await requestAccountDeletion(principal, body, clientAddressOf(request));
    return { status: 202 };
  },
});
