import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { checkSchedule } from "@/lib/model/schedule/check-schedule";
import { nextFirings } from "@/lib/model/schedule/next-firings";

/** What an owner says of a schedule. */
export interface ScheduleDraft {
  cron: string;
  timezone: string;
  /** The named inputs of each run. */
  input: Record<string, unknown>;
  enabled: boolean;
}

/** @throws ServiceError INVALID_INPUT for a `cron` or `timezone` that is not understood, never fires, or fires less than `leastMinutes` apart */
export function requireFiringTimes(cron: string, timezone: string, leastMinutes: number): void {
  const details = checkSchedule(cron, timezone, new Date(), leastMinutes).map(({ path, message }) => ({ path: path.join("."), message }));
  if (details.length === 0) return;
  throw new ServiceError("INVALID_INPUT", details.map((detail) => `${detail.path}: ${detail.message}`).join("; "), { details });
}

/** The first firing after `after`; null while switched off, or when there is none any more. */
export function nextRunAt(schedule: Pick<ScheduleDraft, "cron" | "timezone" | "enabled">, after: Date): Date | null {
  if (!schedule.enabled) return null;
  try {
    return nextFirings(schedule.cron, schedule.timezone, after, 1)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null; // a zone that the runtime no longer knows
    throw error;
  }
}
