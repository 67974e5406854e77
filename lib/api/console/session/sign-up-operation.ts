import "server-only";
import { z } from "zod";
import { emailField, passwordField, tokenField } from "@/lib/api/console/session/fields";
import { clientAddressOf } from "@/lib/api/http/client-address-header";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { signUp } from "@/lib/domain/account/sign-up";

export const signUpOperation = operation({
  method: "POST",
  path: "/api/console/sign-up",
  operationId: "signUp",
  tag: "Console",
  summary: "Make an account",
  description:
    "Makes an account with its first user and the starting credits. Where mail is set up the address is proven first, and the answer is the same for one that has an account.",
  auth: "none",
  body: z.strictObject({
    email: emailField,
    password: passwordField,
    name: z.string().trim().max(255).optional(),
    invitation: tokenField.optional(),
  }),
  creates: ["accounts"],
  responses: [
    { status: 201, description: "The account.", schema: z.object({ account_id: idField, email: z.string() }) },
    { status: 202, description: "A mail to this address says how to go on.", schema: z.object({ email: z.string() }) },
  ],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "CONFLICT", "SERVICE_UNAVAILABLE"],
  async handle({ principal, body, request }) {
    const account = await signUp(body, clientAddressOf(request), principal.actor);
    if (!account) return { status: 202, body: { email: body.email } };
    return { status: 201, body: { account_id: account.accountId, email: account.email } };
  },
});
