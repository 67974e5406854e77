import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { idField } from "@/lib/api/v1/schemas/fields";
import { createAccount } from "@/lib/domain/account/create-account";

export const passwordField = z.string().min(10, "must have at least 10 characters").max(200, "must have at most 200 characters");

export const signUpOperation = operation({
  method: "POST",
  path: "/api/console/sign-up",
  operationId: "signUp",
  tag: "Console",
  summary: "Make an account",
  description: "Makes an account with its first user and the starting credits.",
  auth: "none",
  body: z.strictObject({
    email: z.email("must be an e-mail address").max(254),
    password: passwordField,
    name: z.string().trim().max(255).optional(),
  }),
  creates: ["accounts"],
  responses: [{ status: 201, description: "The account.", schema: z.object({ account_id: idField, email: z.string() }) }],
  errors: ["INVALID_INPUT", "AUTHENTICATION_REQUIRED", "CONFLICT", "SERVICE_UNAVAILABLE"],
  async handle({ body }) {
    const account = await createAccount({ email: body.email, password: body.password, name: body.name });
    return { status: 201, body: { account_id: account.accountId, email: account.email } };
  },
});
