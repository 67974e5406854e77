import "server-only";
import { hashToken, newToken } from "@/lib/domain/account/user-tokens";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { configuredMailer } from "@/lib/domain/mail/mailer";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import { type Principal, requireAdmin } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { INVITATION_DAYS, PENDING_INVITATIONS_MAX } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import type { Mailer } from "@/lib/platform/mail/create-mailer";
import { postgres, transaction } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";

export interface InvitationView {
  id: string;
  email: string;
  status: "pending" | "accepted" | "revoked" | "expired";
  /** Whether the service mailed the link; else the admin passed it on. */
  mailed: boolean;
  createdAt: Date;
  expiresAt: Date;
}

const COLUMNS = `id, email, mailed_at IS NOT NULL AS mailed, created_at AS "createdAt",
  expires_at AS "expiresAt",
  CASE WHEN accepted_at IS NOT NULL THEN 'accepted' WHEN revoked_at IS NOT NULL THEN 'revoked'
  WHEN expires_at <= now() THEN 'expired' ELSE 'pending' END AS status`;

/**
 * Invites somebody to make an account, for seven days; an earlier invitation of the address is void
 * from now on. The link is mailed; where that cannot be, it is given back once, for the admin to
 * pass on.
 * @throws ServiceError NOT_FOUND for all but admins; CONFLICT when the address has an account, or
 * 1,000 invitations are pending
 */
export async function inviteByEmail(
  principal: Principal,
  email: string,
  mailer: Mailer | null = configuredMailer(),
): Promise<InvitationView & { link: string | null }> {
  requireAdmin(principal);
  const [id, token, invited] = [newId(), newToken(), email.trim().toLowerCase()];
  await transaction(async (tx) => {
    // One after the other: of two invitations of one address one is pending, and none is beyond the
    // number.
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('invitations'))");
    const known = await tx.query("SELECT 1 FROM users WHERE email = $1", [invited]);
    if (known.rowCount !== 0)
      throw new ServiceError("CONFLICT", "This e-mail address has an account already.");
    await tx.query(
      `UPDATE invitations SET revoked_at = now() WHERE email = $1 AND accepted_at IS NULL
         AND revoked_at IS NULL`,
      [invited],
    );
    const pending = await tx.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM invitations WHERE accepted_at IS NULL AND revoked_at IS NULL
         AND expires_at > now()`,
    );
    if ((pending.rows[0]?.n ?? 0) >= PENDING_INVITATIONS_MAX) {
      throw new ServiceError(
        "CONFLICT",
        `At most ${PENDING_INVITATIONS_MAX} invitations may be pending. Revoke some first.`,
      );
    }
    await tx.query(
      `INSERT INTO invitations (id, email, hash, invited_by_user_id, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(days => $5))`,
      [id, invited, hashToken(token), principal.userId, INVITATION_DAYS],
    );
    await recordAudit(tx, principal, {
      action: "invitation.created",
      object: { kind: "invitation", id, label: invited },
    });
  });
  const link = `${publicBaseUrl()}/sign-up?invitation=${token}`;
  const isMailed = mailer !== null && (await mailInvitation(mailer, { id, email: invited, link }));
  return { ...(await getInvitation(id)), link: isMailed ? null : link };
}

async function mailInvitation(
  mailer: Mailer,
  { id, email, link }: { id: string; email: string; link: string },
): Promise<boolean> {
  const text =
    `You are invited to make an account at ${publicBaseUrl()}. Open this link to accept:\n\n` +
    `${link}\n\nIt works once, for ${INVITATION_DAYS} days.\n`;
  try {
    await mailer.send({
      to: email,
      subject: "You are invited",
      text,
      messageId: `${id}.invitation`,
    });
  } catch (error) {
    log.warn({ err: error, invitation_id: id }, "an invitation could not be mailed");
    return false;
  }
  await postgres().query("UPDATE invitations SET mailed_at = now() WHERE id = $1", [id]);
  return true;
}

async function getInvitation(id: string): Promise<InvitationView> {
  const { rows } = await postgres().query<InvitationView>(
    `SELECT ${COLUMNS} FROM invitations WHERE id = $1`,
    [id],
  );
  const invitation = rows[0];
  if (!invitation) throw new ServiceError("NOT_FOUND", "There is no such invitation.");
  return invitation;
}

/** Every invitation, newest first. @throws ServiceError NOT_FOUND for all but admins */
export async function listInvitations(
  principal: Principal,
  page: PageRequest,
): Promise<Page<InvitationView>> {
  requireAdmin(principal);
  const { rows } = await postgres().query<InvitationView>(
    `SELECT ${COLUMNS} FROM invitations WHERE ($1::uuid IS NULL OR id < $1) ORDER BY id DESC
     LIMIT $2`,
    [readCursor(page.cursor), rowsToRead(page)],
  );
  return toPage(rows, page.limit, (invitation) => invitation.id);
}

/**
 * The link opens nothing any more. Again: nothing changes. @throws ServiceError NOT_FOUND for all
 * but admins, or without such an invitation; CONFLICT once it was accepted
 */
export async function revokeInvitation(
  principal: Principal,
  invitationId: string,
): Promise<InvitationView> {
  requireAdmin(principal);
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ email: string }>(
      `UPDATE invitations SET revoked_at = now() WHERE id = $1 AND accepted_at IS NULL
         AND revoked_at IS NULL RETURNING email`,
      [invitationId],
    );
    const label = rows[0]?.email;
    if (label)
      await recordAudit(tx, principal, {
        action: "invitation.revoked",
        object: { kind: "invitation", id: invitationId, label },
      });
  });
  const invitation = await getInvitation(invitationId);
  if (invitation.status === "accepted")
    throw new ServiceError(
      "CONFLICT",
      "This invitation was accepted: block or delete the account instead.",
    );
  return invitation;
}
