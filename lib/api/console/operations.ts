import "server-only";
import { KEY_OPERATIONS } from "@/lib/api/console/keys/key-operations";
import { listModelsOperation } from "@/lib/api/console/list-models-operation";
import { listNotificationsOperation } from "@/lib/api/console/list-notifications-operation";
import { changePasswordOperation } from "@/lib/api/console/session/change-password-operation";
import { signUpOperation } from "@/lib/api/console/session/sign-up-operation";
import { WEBHOOK_SECRET_OPERATIONS } from "@/lib/api/console/webhook-secret/webhook-secret-operations";
import type { Operation } from "@/lib/api/http/operation";

/** What only the console can do; it does the rest through the operations of `/v1`. */
export const CONSOLE_OPERATIONS: Operation[] = [
  signUpOperation,
  changePasswordOperation,
  ...KEY_OPERATIONS,
  listModelsOperation,
  listNotificationsOperation,
  ...WEBHOOK_SECRET_OPERATIONS,
];
