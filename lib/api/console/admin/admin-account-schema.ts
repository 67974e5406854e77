import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { AccountRow } from "@/lib/domain/admin/account-row";
import { toCredits } from "@/lib/model/run/usage";

export const adminAccountSchema = z.object({
  account_id: idField,
  name: z.string(),
  email: z.string(),
  admin: z.boolean(),
  super_agent_access: z.boolean(),
  blocked: z.boolean(),
  credits: z.number(),
  /** Null where the service's own limit holds. */
  read_per_minute: z.number().int().nullable(),
  runs_per_minute: z.number().int().nullable(),
  write_per_hour: z.number().int().nullable(),
  created_at: timeField,
});

export function toAdminAccount(account: AccountRow): z.output<typeof adminAccountSchema> {
  return {
    account_id: account.id,
    name: account.name,
    email: account.email,
    admin: account.isAdmin,
    super_agent_access: account.superAgentAccess,
    blocked: account.blocked,
    credits: toCredits(BigInt(account.availableMicros)),
    read_per_minute: account.readPerMinute,
    runs_per_minute: account.runsPerMinute,
    write_per_hour: account.writePerHour,
    created_at: account.createdAt.toISOString(),
  };
}
