import "server-only";
import { z } from "zod";
import { idField } from "@/lib/api/schemas/fields";

/**
 * What a browser's interface for passkeys gives; whether it answers its question is seen by its
 * signature.
 */
export const passkeyResponseField = z.looseObject({
  id: z.string().min(1).max(2048),
  rawId: z.string().min(1).max(2048),
  type: z.literal("public-key"),
  response: z.looseObject({ clientDataJSON: z.string() }),
  clientExtensionResults: z.looseObject({}).default({}),
});

/** With the question that it answers. */
export const passkeyAnswerField = z.strictObject({
  challenge_id: idField,
  response: passkeyResponseField,
});
