const RUN_STEP =
  "the id of the run that the engine's own event named; `loadRun` gives its account to all that " +
  "is shown";
const VERB_BEFORE =
  "the id of a row that a verb before it in the same transaction has found by its account";

/**
 * Where a statement may find rows by an id alone: nobody outside of the service chooses the id.
 * Each entry counts its statements exactly, so that a new one is looked at.
 */
export const ACCOUNT_QUERY_EXCEPTIONS = {
  "lib/domain/keys/authenticate-key.ts": {
    statements: 1,
    reason: "the id of the key that was just authenticated",
  },
  "lib/domain/limits/request-budgets.ts": {
    statements: 1,
    reason: "the account itself is what is found by its id",
  },
  "lib/domain/agents/agent-store.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/domain/agents/list-agent-versions.ts": {
    statements: 2,
    reason: "the id of an agent that `requireAgent` has found by its account",
  },
  "lib/domain/approvals/expire-approval.ts": { statements: 4, reason: RUN_STEP },
  "lib/domain/approvals/resolve-approval.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/domain/conversations/list-messages.ts": {
    statements: 1,
    reason: "the id of a conversation that its verb has found by its account",
  },
  "lib/domain/execution/tools/dispatch-tool.ts": { statements: 1, reason: RUN_STEP },
  "lib/domain/execution/permission/approval.ts": { statements: 4, reason: RUN_STEP },
  "lib/domain/execution/tools/call-tool.ts": { statements: 1, reason: RUN_STEP },
  "lib/domain/execution/permission/budget-wait.ts": { statements: 4, reason: RUN_STEP },
  "lib/domain/execution/permission/client-calls.ts": { statements: 7, reason: RUN_STEP },
  "lib/domain/execution/tools/tool-ports.ts": {
    statements: 2,
    reason: "by account and agent, in a variable",
  },
  "lib/domain/execution/tools/run-tools.ts": {
    statements: 2,
    reason:
      "the id of a secret that was found by its account and name; the id of the run that is at " +
      "work",
  },
  "lib/domain/execution/session/with-run-log.ts": { statements: 1, reason: RUN_STEP },
  "lib/domain/files/save-file.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/domain/keys/revoke-key.ts": {
    statements: 1,
    reason: "the operator's own command, for any account",
  },
  "lib/domain/notifications/mail-notification.ts": {
    statements: 2,
    reason: "the id that the engine's own event named",
  },
  "lib/domain/retention/remove-rows.ts": {
    statements: 3,
    reason:
      "ids that `deleteArtifact` or `deleteRun` has found by their account, or a sweep over all " +
      "accounts by their time",
  },
  "lib/domain/runs/run-view.ts": { statements: 1, reason: RUN_STEP },
  "lib/domain/runs/read-transcript.ts": {
    statements: 1,
    reason: "the id of a run that `getRun` has found by its account",
  },
  "lib/domain/runs/submit-tool-results.ts": { statements: 5, reason: VERB_BEFORE },
  "lib/domain/runs/settle-run.ts": { statements: 2, reason: RUN_STEP },
  "lib/domain/schedules/fire-schedules.ts": {
    statements: 1,
    reason: "schedules of all accounts, found by their time",
  },
  "lib/domain/account/change-password.ts": {
    statements: 1,
    reason: "the session and user of who asks, together",
  },
  "lib/domain/sessions/end-sessions.ts": {
    statements: 1,
    reason: "by the session's user, who asks",
  },
  "lib/domain/blobs/with-upload.ts": {
    statements: 1,
    reason: "the id of the upload that this very call has begun",
  },
  "lib/domain/secrets/secret-view.ts": {
    statements: 1,
    reason: "by account and name, in a variable",
  },
  "lib/domain/account/passkeys.ts": {
    statements: 3,
    reason: "by the user who signs in or is signed in, and a passkey found by that user before",
  },
  "lib/domain/account/recovery-codes.ts": {
    statements: 2,
    reason: "by the user who signs in or is signed in",
  },
  "lib/domain/account/second-factor.ts": {
    statements: 3,
    reason: "by the user who signs in or is signed in",
  },
  "lib/domain/account/totp.ts": {
    statements: 1,
    reason: "by the user who signs in or is signed in",
  },
  "lib/domain/account/verify-email.ts": {
    statements: 1,
    reason: "the session and user of the browser that proves, together",
  },
  "lib/domain/admin/rotate-encryption-key.ts": {
    statements: 4,
    reason: "the operator's own command, over all accounts",
  },
  "lib/domain/skills/skill-view.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/domain/skills/install-skill.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/domain/webhooks/attempt-delivery.ts": {
    statements: 6,
    reason: "the id that the engine's own event named, and the endpoint of its row",
  },
  "lib/domain/webhooks/signing-secret.ts": { statements: 1, reason: "by account, in a variable" },
  "lib/domain/workspaces/unassign-agent.ts": { statements: 1, reason: VERB_BEFORE },
  "lib/engine/events/event-hub.ts": { statements: 1, reason: "runs that this process drives" },
  "prisma/functions/begin_model_turn.sql": {
    statements: 1,
    reason: "the run that the same call has found by its account",
  },
};
