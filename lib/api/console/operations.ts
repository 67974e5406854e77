import "server-only";
import { ADMIN_OPERATIONS } from "@/lib/api/console/admin/admin-operations";
import { KEY_OPERATIONS } from "@/lib/api/console/keys/key-operations";
import { listModelsOperation } from "@/lib/api/console/list-models-operation";
import { getAttentionOperation } from "@/lib/api/console/notifications/get-attention-operation";
import { NOTIFICATION_OPERATIONS } from "@/lib/api/console/notifications/notification-operations";
import { listSecretUsesOperation } from "@/lib/api/console/secrets/list-secret-uses-operation";
import { changePasswordOperation } from "@/lib/api/console/session/change-password-operation";
import { PROFILE_OPERATIONS } from "@/lib/api/console/session/profile-operations";
import { signUpOperation } from "@/lib/api/console/session/sign-up-operation";
import { WEBHOOK_SECRET_OPERATIONS } from "@/lib/api/console/webhook-secret/webhook-secret-operations";
import type { Operation } from "@/lib/api/http/operation";

/** What only the console can do; it does the rest through the operations of `/v1`. */
export const CONSOLE_OPERATIONS: Operation[] = [
  signUpOperation,
  changePasswordOperation,
  ...PROFILE_OPERATIONS,
  ...KEY_OPERATIONS,
  listModelsOperation,
  ...NOTIFICATION_OPERATIONS,
  getAttentionOperation,
  listSecretUsesOperation,
  ...WEBHOOK_SECRET_OPERATIONS,
  ...ADMIN_OPERATIONS,
];
