import { type Read, reads } from "@/lib/console/reads";
import { AUDIT_ACTION_NAMES, type AuditAction } from "@/lib/model/audit";
import { isUuid } from "@/lib/model/uuid";

/** Whose log is shown: the account's own, or the whole service's, for admins. */
export type AuditScope = "account" | "service";

export interface AuditQuery {
  action: string;
  /** Days as a date field writes them, such as 2026-01-31; both count. */
  from: string;
  to: string;
  /** An account's id, in the service's log. */
  account: string;
}

export const NO_FILTER: AuditQuery = { action: "", from: "", to: "", account: "" };

/** The list of a page's filters; what is no act, no day or no id does not filter. */
export function toAuditRead(
  scope: AuditScope,
  { action, from, to, account }: AuditQuery,
): Read<"/audit-events"> | Read<"/admin/audit-events"> {
  const filter = {
    action: AUDIT_ACTION_NAMES.find((name): name is AuditAction => name === action),
    created_after: startOf(from, 0),
    created_before: startOf(to, 1),
  };
  if (scope === "account") return reads.auditEvents(filter);
  return reads.adminAuditEvents({ ...filter, account_id: isUuid(account) ? account : undefined });
}

/** The beginning of a day, or of one some days later, where the reader is. */
function startOf(day: string, daysLater: number): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return undefined;
  const time = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + daysLater);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
