import "server-only";
import { z } from "zod";
import { operation } from "@/lib/api/http/operation";
import { renameUser } from "@/lib/domain/account/rename-user";
import { NAME_MAX_CHARACTERS } from "@/lib/model/limits";

export const renameUserOperation = operation({
  method: "PATCH",
  path: "/api/console/profile",
  operationId: "renameUser",
  tag: "Console",
  summary: "Change the user's name",
  description: "How the signed-in user is called here; an empty name shows the e-mail address instead.",
  auth: "session",
  body: z.strictObject({ name: z.string().trim().max(NAME_MAX_CHARACTERS, `must have at most ${NAME_MAX_CHARACTERS} characters`) }),
  responses: [{ status: 204, description: "Changed." }],
  errors: ["INVALID_INPUT"],
  async handle({ principal, body }) {
    await renameUser(principal, body.name);
    return { status: 204 };
  },
});
