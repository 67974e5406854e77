import "server-only";
import { z } from "zod";
import { currentPasswordField, emailField, passwordField, tokenField } from "@/lib/api/console/session/fields";
import { clientAddressOf } from "@/lib/api/http/client-address-header";
import { type Operation, operation } from "@/lib/api/http/operation";
import { changePassword } from "@/lib/domain/account/change-password";
import { requestPasswordReset, resetPassword } from "@/lib/domain/account/reset-password";

const changePasswordOperation = operation({
  method: "POST",
  path: "/api/console/password",
  operationId: "changePassword",
  tag: "Console",
  summary: "Change the password",
  description: "Ends every other session of the user; with `revoke_keys` every key of the account too.",
  auth: "session",
  body: z.strictObject({ current_password: currentPasswordField, new_password: passwordField, revoke_keys: z.boolean().optional() }),
  responses: [{ status: 204, description: "Changed; this session goes on." }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    const change = { current: body.current_password, next: body.new_password, revokeKeys: body.revoke_keys ?? false };
    await changePassword(principal, change, clientAddressOf(request));
    return { status: 204 };
  },
});

const requestPasswordResetOperation = operation({
  method: "POST",
  path: "/api/console/forgot-password",
  operationId: "requestPasswordReset",
  tag: "Console",
  summary: "Ask for a new password",
  description: "Mails a link to choose a new password by, where the address has an account. The answer is the same where it has none.",
  auth: "none",
  body: z.strictObject({ email: emailField }),
  creates: ["nothing"],
  responses: [{ status: 202, description: "If there is such an account, a mail is on its way." }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "CONFLICT"],
  async handle({ body, request }) {
    await requestPasswordReset(body.email, clientAddressOf(request));
    return { status: 202 };
  },
});

const resetPasswordOperation = operation({
  method: "POST",
  path: "/api/console/reset-password",
  operationId: "resetPassword",
  tag: "Console",
  summary: "Choose a new password by a mailed link",
  description: "Ends every session of the user. The link works once.",
  auth: "none",
  body: z.strictObject({ token: tokenField, password: passwordField }),
  responses: [{ status: 204, description: "Set; sign in with it." }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "SERVICE_UNAVAILABLE"],
  async handle({ body }) {
    await resetPassword(body.token, body.password);
    return { status: 204 };
  },
});

export const PASSWORD_OPERATIONS: Operation[] = [changePasswordOperation, requestPasswordResetOperation, resetPasswordOperation];
