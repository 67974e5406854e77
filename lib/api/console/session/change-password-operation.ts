import "server-only";
import { z } from "zod";
import { passwordField } from "@/lib/api/console/session/sign-up-operation";
import { operation } from "@/lib/api/http/operation";
import { changePassword } from "@/lib/domain/account/change-password";

export const changePasswordOperation = operation({
  method: "POST",
  path: "/api/console/password",
  operationId: "changePassword",
  tag: "Console",
  summary: "Change the password",
  description: "Ends every session of the user, this one too.",
  auth: "session",
  body: z.strictObject({ current_password: z.string().max(200), new_password: passwordField }),
  responses: [{ status: 204, description: "Changed; sign in again." }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await changePassword(principal, body.current_password, body.new_password);
    return { status: 204 };
  },
});
