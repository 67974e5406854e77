import "server-only";
import { z } from "zod";
import { tokenField } from "@/lib/api/console/session/fields";
import { type Operation, operation } from "@/lib/api/http/operation";
import { requestEmailProof, verifyEmail } from "@/lib/domain/account/verify-email";

const verifyEmailOperation = operation({
  method: "POST",
  path: "/api/console/verify-email",
  operationId: "verifyEmail",
  tag: "Console",
  summary: "Confirm an e-mail address by a mailed link",
  description: "Pays the starting credits out. The link works once.",
  auth: "none",
  body: z.strictObject({ token: tokenField }),
  responses: [{ status: 200, description: "Confirmed.", schema: z.object({ email: z.string() }) }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED"],
  async handle({ body }) {
    return { status: 200, body: { email: await verifyEmail(body.token) } };
  },
});

const requestEmailProofOperation = operation({
  method: "POST",
  path: "/api/console/verify-email/resend",
  operationId: "requestEmailProof",
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
