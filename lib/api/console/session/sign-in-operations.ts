import "server-only";
import { z } from "zod";
import { findSession } from "@/lib/api/console/session";
import { readSignedCookie, signedCookie, toSetCookie } from "@/lib/api/console/signed-cookies";
import { type Operation, operation } from "@/lib/api/http/operation";
import { clientAddressOf } from "@/lib/api/http/request";
import { idField } from "@/lib/api/schemas/fields";
import { changePassword } from "@/lib/domain/account/change-password";
import { requestPasswordReset, resetPassword } from "@/lib/domain/account/reset-password";
import { signUp } from "@/lib/domain/account/sign-up";
import { requestEmailProof, verifyEmail } from "@/lib/domain/account/verify-email";
import {
  EMAIL_MAX_CHARACTERS,
  PASSWORD_MAX_CHARACTERS,
  PASSWORD_MIN_CHARACTERS,
} from "@/lib/model/limits";

export const emailField = z
  .email("must be an e-mail address")
  .max(EMAIL_MAX_CHARACTERS, `must have at most ${EMAIL_MAX_CHARACTERS} characters`);

/** A password that is being chosen. */
export const passwordField = z
  .string()
  .min(PASSWORD_MIN_CHARACTERS, `must have at least ${PASSWORD_MIN_CHARACTERS} characters`)
  .max(PASSWORD_MAX_CHARACTERS, `must have at most ${PASSWORD_MAX_CHARACTERS} characters`);

/** A password that is asked for. */
export const currentPasswordField = z.string().max(PASSWORD_MAX_CHARACTERS);

/** The token of a mailed link. */
export const tokenField = z
  .string()
  .min(1, "is missing from the link")
  .max(100, "is not a link's token");

export const signUpOperation = operation({
  method: "POST",
  path: "/api/console/sign-up",
  operationId: "signUp",
  tag: "Console",
  summary: "Make an account",
  description:
    "Makes an account with its first user and the starting credits. Where mail is set up it " +
    "is made when the address is proven by the mailed link, and the answer is the same for " +
    "one that has an account.",
  auth: "none",
  body: z.strictObject({
    email: emailField,
    password: passwordField,
    name: z.string().trim().max(255).optional(),
    invitation: tokenField.optional(),
  }),
  creates: ["accounts"],
  responses: [
    {
      status: 201,
      description: "The account.",
      schema: z.object({ account_id: idField, email: z.string() }),
    },
    {
      status: 202,
      description: "A mail to this address says how to go on.",
      schema: z.object({ email: z.string() }),
    },
  ],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "CONFLICT", "SERVICE_UNAVAILABLE"],
  async handle({ principal, body, request }) {
    const signedUp = await signUp(body, clientAddressOf(request), principal.actor);
    if (signedUp.outcome === "mailed") {
      const cookie = toSetCookie(signedCookie("lathe.sign-up", signedUp.signUpId));
      return { status: 202, body: { email: body.email }, headers: { "Set-Cookie": cookie } };
    }
    const { account } = signedUp;
    return { status: 201, body: { account_id: account.accountId, email: account.email } };
  },
});

const verifyEmailOperation = operation({
  method: "POST",
  path: "/api/console/verify-email",
  operationId: "verifyEmail",
  tag: "Console",
  summary: "Confirm an e-mail address by a mailed link",
  description:
    "Makes the account of a sign-up, with its starting credits. The first proof of an " +
    "account that was made before ends every key and session of it but this browser's. The " +
    "link works once.",
  auth: "none",
  body: z.strictObject({ token: tokenField }),
  responses: [{ status: 200, description: "Confirmed.", schema: z.object({ email: z.string() }) }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "CONFLICT"],
  async handle({ principal, body, request }) {
    const session = await findSession();
    const signUpId = readSignedCookie(request.headers.get("cookie"), "lathe.sign-up");
    const email = await verifyEmail(body.token, {
      actor: principal.actor,
      principal: session?.principal,
      signUpId,
    });
    return { status: 200, body: { email } };
  },
});

const requestEmailProofOperation = operation({
  method: "POST",
  path: "/api/console/verify-email/resend",
  operationId: "requestEmailProof",
  provenOnly: false,
  tag: "Console",
  summary: "Mail another link to confirm the e-mail address",
  description: "To the signed-in user's own address.",
  auth: "session",
  creates: ["nothing"],
  responses: [{ status: 202, description: "A mail is on its way." }],
  errors: ["CONFLICT"],
  async handle({ principal }) {
    await requestEmailProof(principal);
    return { status: 202 };
  },
});

export const EMAIL_OPERATIONS: Operation[] = [verifyEmailOperation, requestEmailProofOperation];

const changePasswordOperation = operation({
  method: "POST",
  path: "/api/console/password",
  operationId: "changePassword",
  provenOnly: false,
  tag: "Console",
  summary: "Change the password",
  description:
    "Ends every other session of the user; with `revoke_keys` every key of the account too.",
  auth: "session",
  body: z.strictObject({
    current_password: currentPasswordField,
    new_password: passwordField,
    revoke_keys: z.boolean().optional(),
  }),
  responses: [{ status: 204, description: "Changed; this session goes on." }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    const change = {
      current: body.current_password,
      next: body.new_password,
      revokeKeys: body.revoke_keys ?? false,
    };
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
  description:
    "Mails a link to choose a new password by, where the address has an account. The answer " +
    "is the same where it has none.",
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

export const PASSWORD_OPERATIONS: Operation[] = [
  changePasswordOperation,
  requestPasswordResetOperation,
  resetPasswordOperation,
];
