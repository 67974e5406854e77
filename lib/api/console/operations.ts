import "server-only";
import { ADMIN_OPERATIONS } from "@/lib/api/console/admin/admin-operations";
import { INVITATION_OPERATIONS } from "@/lib/api/console/admin/invitation-operations";
import { AUDIT_OPERATIONS } from "@/lib/api/console/audit/audit-operations";
import { KEY_OPERATIONS } from "@/lib/api/console/keys/key-operations";
import { listModelsOperation } from "@/lib/api/console/list-models-operation";
import { getAttentionOperation } from "@/lib/api/console/notifications/get-attention-operation";
import { NOTIFICATION_OPERATIONS } from "@/lib/api/console/notifications/notification-operations";
import { listSecretUsesOperation } from "@/lib/api/console/secrets/list-secret-uses-operation";
import { deleteAccountOperation } from "@/lib/api/console/session/delete-account-operation";
import { EMAIL_OPERATIONS } from "@/lib/api/console/session/email-operations";
import { PASSWORD_OPERATIONS } from "@/lib/api/console/session/password-operations";
import { renameUserOperation } from "@/lib/api/console/session/rename-user-operation";
import { SESSION_OPERATIONS } from "@/lib/api/console/session/session-operations";
import { signUpOperation } from "@/lib/api/console/session/sign-up-operation";
import { WEBHOOK_SECRET_OPERATIONS } from "@/lib/api/console/webhook-secret/webhook-secret-operations";
import type { Operation } from "@/lib/api/http/operation";

/** What only the console can do; it does the rest through the operations of `/v1`. */
export const CONSOLE_OPERATIONS: Operation[] = [
  signUpOperation,
  ...EMAIL_OPERATIONS,
  ...PASSWORD_OPERATIONS,
  ...SESSION_OPERATIONS,
  renameUserOperation,
  deleteAccountOperation,
  ...KEY_OPERATIONS,
  listModelsOperation,
  ...NOTIFICATION_OPERATIONS,
  getAttentionOperation,
  listSecretUsesOperation,
  ...WEBHOOK_SECRET_OPERATIONS,
  ...ADMIN_OPERATIONS,
  ...INVITATION_OPERATIONS,
  ...AUDIT_OPERATIONS,
];
