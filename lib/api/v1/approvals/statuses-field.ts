import "server-only";
import { z } from "zod";
import { APPROVAL_STATUSES, type ApprovalStatus } from "@/lib/model/approval/approval-status";

const STATUSES: ReadonlySet<string> = new Set(APPROVAL_STATUSES);

/** The filter `status` of the approvals' list. */
export const statusesField = z
  .string()
  .refine((text) => text.split(",").every((status) => STATUSES.has(status)), `must be a comma list of ${APPROVAL_STATUSES.join(", ")}`)
  .transform((text) => text.split(",") as ApprovalStatus[]) // each was found in the set above
  .optional()
  .meta({ description: `A comma list of ${APPROVAL_STATUSES.join(", ")}.`, override: { type: "string", example: "pending" } });
