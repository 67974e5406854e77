import "server-only";
import { z } from "zod";
import { emailField } from "@/lib/api/console/session/sign-in-operations";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { creditsField, idField, listOf, listQuery, timeField } from "@/lib/api/schemas/fields";
import { administerAccount } from "@/lib/domain/admin/administer-account";
import {
  type InvitationView,
  inviteByEmail,
  listInvitations,
  revokeInvitation,
} from "@/lib/domain/admin/invitations";
import { type AccountRow, listAccounts } from "@/lib/domain/admin/list-accounts";
import { toCredits } from "@/lib/model/run/run-result";
import { textOf } from "@/lib/model/text-of";

const adminAccountSchema = z
  .object({
    account_id: idField,
    name: z.string(),
    email: z.string(),
    admin: z.boolean(),
    super_agent_access: z.boolean(),
    blocked: z.boolean(),
    credits: z.number(),
    /** Null where the service's own limit holds. */
    read_per_minute: z.number().int().nullable(),
    runs_per_minute: z.number().int().nullable(),
    write_per_hour: z.number().int().nullable(),
    created_at: timeField,
  })
  .meta({ id: "AdminAccount" });

function toAdminAccount(account: AccountRow): z.output<typeof adminAccountSchema> {
  return {
    account_id: account.id,
    name: account.name,
    email: account.email,
    admin: account.isAdmin,
    super_agent_access: account.superAgentAccess,
    blocked: account.blocked,
    credits: toCredits(BigInt(account.availableMicros)),
    read_per_minute: account.readPerMinute,
    runs_per_minute: account.runsPerMinute,
    write_per_hour: account.writePerHour,
    created_at: account.createdAt.toISOString(),
  };
}

const EMAIL_MAX_CHARACTERS = 254;

const listAccountsOperation = operation({
  method: "GET",
  path: "/api/console/admin/accounts",
  operationId: "listAccounts",
  tag: "Console",
  summary: "List every account",
  description: "The service's accounts, newest first; for admins.",
  auth: "session",
  admin: true,
  query: z.object({
    ...listQuery,
    q: textOf(EMAIL_MAX_CHARACTERS)
      .optional()
      .meta({ description: "A part of the e-mail address." }),
  }),
  responses: [
    { status: 200, description: "A page of accounts.", schema: listOf(adminAccountSchema) },
  ],
  errors: ["INVALID_INPUT"],
  async handle({ principal, query }) {
    return {
      status: 200,
      body: toList(await listAccounts(principal, query, query.q ?? ""), toAdminAccount),
    };
  },
});

const administerAccountOperation = operation({
  method: "PATCH",
  path: "/api/console/admin/accounts/{account_id}",
  operationId: "administerAccount",
  tag: "Console",
  summary: "Change an account",
  description:
    "Puts an account on the super-agent's allowlist or takes it off, blocks it, gives it " +
    "credits; for admins.",
  auth: "session",
  admin: true,
  params: z.object({ account_id: idField }),
  body: z
    .strictObject({
      super_agent_access: z.boolean().optional(),
      blocked: z.boolean().optional(),
      add_credits: creditsField.optional(),
    })
    .refine((body) => Object.keys(body).length > 0, "must name what changes"),
  responses: [{ status: 200, description: "The account.", schema: adminAccountSchema }],
  errors: ["INVALID_INPUT", "NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    const changes = {
      superAgentAccess: body.super_agent_access,
      blocked: body.blocked,
      addCredits: body.add_credits,
    };
    return {
      status: 200,
      body: toAdminAccount(await administerAccount(principal, params.account_id, changes)),
    };
  },
});

export const ADMIN_OPERATIONS: Operation[] = [listAccountsOperation, administerAccountOperation];

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

const createdInvitationSchema = invitationSchema
  .extend({ link: z.string().nullable() })
  .meta({ id: "CreatedInvitation" });

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
  responses: [
    { status: 200, description: "A page of invitations.", schema: listOf(invitationSchema) },
  ],
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
    "Mails a link to make an account by. Where no mail could be sent, the link is in this " +
    "answer and never shown again; for admins.",
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
    return {
      status: 200,
      body: toInvitation(await revokeInvitation(principal, params.invitation_id)),
    };
  },
});

export const INVITATION_OPERATIONS: Operation[] = [
  listInvitationsOperation,
  inviteOperation,
  revokeInvitationOperation,
];
