import "server-only";

/** A schedule's row, for the doors: they do not reach the database. */
export type { Schedule as ScheduleRecord } from "@/lib/storage/generated/client";
