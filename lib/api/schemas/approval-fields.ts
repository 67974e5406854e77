import "server-only";
import { z } from "zod";
import {
  APPROVAL_DECISIONS,
  APPROVAL_MESSAGE_MAX_CHARACTERS,
  APPROVAL_STATUSES,
  type ApprovalStatus,
} from "@/lib/model/approval/approval";
import { textOf } from "@/lib/model/text-of";

const STATUSES: ReadonlySet<string> = new Set(APPROVAL_STATUSES);

/** The filter `status` of the approvals' lists. */
export const statusesField = z
  .string()
  .refine(
    (text) => text.split(",").every((status) => STATUSES.has(status)),
    `must be a comma list of ${APPROVAL_STATUSES.join(", ")}`,
  )
  .transform((text) => text.split(",") as ApprovalStatus[]) // each was found in the set above
  .optional()
  .meta({
    description: `A comma list of ${APPROVAL_STATUSES.join(", ")}.`,
    override: { type: "string", example: "pending" },
  });

/** What a decision says, on either path. */
export const decisionFields = {
  decision: z.enum(APPROVAL_DECISIONS, "must be approve or reject"),
  message: textOf(APPROVAL_MESSAGE_MAX_CHARACTERS).nullable().optional().meta({
    description: "Told to the model when the call is rejected.",
    example: "Ask the customer first.",
  }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be the approval's digest: 64 hexadecimal digits")
    .nullable()
    .optional()
    .meta({
      description:
        "The approval's `digest` as it was shown to whoever decides. Where it is another " +
        "one, 409 `CONFLICT`.",
    }),
};

export const EXAMPLE_DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
