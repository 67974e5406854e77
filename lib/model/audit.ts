/**
 * Who can act. `admin`: a signed-in admin, on somebody else's account. `operator`: the operator's
 * command. `system`: the service itself, such as a run that edits an agent. `anonymous`: nobody has
 * signed in (yet).
 */
export const ACTOR_KINDS = ["user", "key", "admin", "operator", "system", "anonymous"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Every act that the audit log holds, and how people read it. */
export const AUDIT_ACTIONS = {
  "account.created": "Account created",
  "account.deletion_requested": "Deletion of the account asked for",
  "account.deleted": "Account deleted",
  "account.displaced": "Unconfirmed account gave way to its address's owner",
  "account.renamed": "Account renamed",
  "account.blocked": "Account blocked",
  "account.unblocked": "Account unblocked",
  "account.limits_changed": "Limits changed",
  "admin.granted": "Admin rights given",
  "admin.removed": "Admin rights taken",
  "super_agent.allowed": "Super-agent allowed",
  "super_agent.denied": "Super-agent denied",
  "credits.added": "Credits added",
  "credits.set": "Credits set",
  "sign_in.succeeded": "Signed in",
  "sign_in.failed": "Sign-in failed",
  "sign_in.locked": "Sign-in locked",
  "session.signed_out": "Signed out",
  "session.ended": "Session ended",
  "session.others_ended": "All other sessions ended",
  "session.all_ended": "All sessions ended",
  "email.proven": "E-mail address confirmed",
  "password.changed": "Password changed",
  "password.reset": "Password reset",
  "password.reset_by_mail": "Password reset by mail",
  "second_factor.added": "Second factor added",
  "second_factor.removed": "Second factor removed",
  "second_factor.codes_renewed": "Recovery codes renewed",
  "second_factor.reset": "Second factor reset by the operator",
  "invitation.created": "Invitation made",
  "invitation.revoked": "Invitation revoked",
  "key.created": "Key created",
  "key.rotated": "Key rotated",
  "key.revoked": "Key revoked",
  "secret.created": "Secret added",
  "secret.updated": "Secret changed",
  "secret.deleted": "Secret deleted",
  "connection.created": "Connection added",
  "connection.signed_in": "Connection signed in",
  "connection.deleted": "Connection deleted",
  "webhook_secret.shown": "Webhook secret shown",
  "webhook_secret.rotated": "Webhook secret rotated",
  "webhook_endpoint.created": "Webhook endpoint added",
  "webhook_endpoint.updated": "Webhook endpoint changed",
  "webhook_endpoint.deleted": "Webhook endpoint deleted",
  "webhook_endpoint.secret_rotated": "Webhook endpoint's secret rotated",
  "webhook_endpoint.disabled": "Webhook endpoint switched off for its failures",
  "approval.approved": "Call approved",
  "approval.rejected": "Call rejected",
  "approval.forgotten": "Remembered approval taken away",
  "agent.autonomy_changed": "Write autonomy changed",
  "agent.permissions_changed": "Agent's reach changed",
  "run.limit_raised": "Run's limit raised",
  "run.deleted": "Run deleted",
  "artifact.deleted": "Artifact deleted",
  "end_user.limits_changed": "End user's limits changed",
  "end_user.erasure_requested": "Erasure of an end user asked for",
  "end_user.erased": "End user erased",
  "key_ring.rotated": "Encryption key rotated",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
// Object.keys forgets the literal keys.
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]];
