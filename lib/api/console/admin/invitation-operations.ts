import "server-only";
import { z } from "zod";
import { emailField } from "@/lib/api/console/session/fields";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { idField, listOf, listQuery, timeField } from "@/lib/api/v1/schemas/fields";
import { type InvitationView, inviteByEmail, listInvitations, revokeInvitation } from "@/lib/domain/admin/invitations";

const invitationSchema = z
  .object({
    invitation_id: idField,
    email: z.string(),
    status: z.enum(["pending", "accepted", "revoked", "expired"]),
    mailed: z.boolean(),
    created_at: timeField,
    expires_at: timeField,
  })
  .meta({ id: "Invitation" });

const createdInvitationSchema = invitationSchema.extend({ link: z.string().nullable() }).meta({ id: "CreatedInvitation" });

function toInvitation(invitation: InvitationView): z.output<typeof invitationSchema> {
  return {
    invitation_id: invitation.id,
    email: invitation.email,
    status: invitation.status,
    mailed: invitation.mailed,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  };
}

const listInvitationsOperation = operation({
  method: "GET",
  path: "/api/console/admin/invitations",
  operationId: "listInvitations",
  tag: "Console",
  summary: "List every invitation",
  description: "Newest first; for admins.",
  auth: "session",
  admin: true,
  query: z.object(listQuery),
  responses: [{ status: 200, description: "A page of invitations.", schema: listOf(invitationSchema) }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return { status: 200, body: toList(await listInvitations(principal, query), toInvitation) };
  },
});

const inviteOperation = operation({
  method: "POST",
  path: "/api/console/admin/invitations",
  operationId: "inviteByEmail",
  tag: "Console",
  summary: "Invite somebody",
  description:
    "Mails a link to make an account by. Where no mail could be sent, the link is in this answer and never shown again; for admins.",
  auth: "session",
  admin: true,
  body: z.strictObject({ email: emailField }),
  creates: ["invitations"],
  responses: [{ status: 201, description: "The invitation.", schema: createdInvitationSchema }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body }) {
    const invitation = await inviteByEmail(principal, body.email);
    return { status: 201, body: { ...toInvitation(invitation), link: invitation.link } };
  },
});

const revokeInvitationOperation = operation({
  method: "POST",
  path: "/api/console/admin/invitations/{invitation_id}/revoke",
  operationId: "revokeInvitation",
  tag: "Console",
  summary: "Revoke an invitation",
  description: "Its link opens nothing any more; for admins.",
  auth: "session",
  admin: true,
  params: z.object({ invitation_id: idField }),
  responses: [{ status: 200, description: "The invitation.", schema: invitationSchema }],
  errors: ["INVALID_INPUT", "NOT_FOUND", "CONFLICT"],
  async handle({ principal, params }) {
    return { status: 200, body: toInvitation(await revokeInvitation(principal, params.invitation_id)) };
  },
});

export const INVITATION_OPERATIONS: Operation[] = [listInvitationsOperation, inviteOperation, revokeInvitationOperation];
