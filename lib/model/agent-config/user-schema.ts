import { z } from "zod";
import { checkSchema } from "@/lib/model/json-schema/check-schema";

/**
 * A JSON Schema that a user gives for an object: `type`, when it is there, must be `object`. Every fault of the schema becomes
 * an issue at its own place.
 */
export const userSchema = z.record(z.string(), z.unknown()).superRefine((schema, context) => {
  if (schema.type !== undefined && schema.type !== "object")
    context.addIssue({ code: "custom", path: ["type"], message: 'Must be "object".' });
  for (const { path, message } of checkSchema(schema)) context.addIssue({ code: "custom", path: [...path], message });
});
