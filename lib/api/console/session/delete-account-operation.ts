import "server-only";
import { z } from "zod";
import { currentPasswordField } from "@/lib/api/console/session/fields";
import { clientAddressOf } from "@/lib/api/http/client-address-header";
import { operation } from "@/lib/api/http/operation";
import { requestAccountDeletion } from "@/lib/domain/deletion/request-account-deletion";
import { EMAIL_MAX_CHARACTERS } from "@/lib/model/limits";

export const deleteAccountOperation = operation({
  method: "POST",
  path: "/api/console/account/delete",
  operationId: "deleteAccount",
  tag: "Console",
  summary: "Delete the account",
  description:
    "With everything it owns, for good. Confirmed by the password, or where the user has none by the e-mail address. Keys, sessions and runs stop at once.",
  auth: "session",
  body: z.strictObject({ password: currentPasswordField.optional(), email: z.string().max(EMAIL_MAX_CHARACTERS).optional() }),
  creates: ["nothing"],
  responses: [{ status: 202, description: "It is being deleted; every session has ended." }],
  errors: ["INVALID_INPUT", "CONFLICT"],
  async handle({ principal, body, request }) {
    await requestAccountDeletion(principal, body, clientAddressOf(request));
    return { status: 202 };
  },
});
