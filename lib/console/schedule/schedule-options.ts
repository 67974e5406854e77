/** Times that people ask for; each is told by `describeCron`. */
export const CRON_PRESETS = ["0 9 * * mon-fri", "0 9 * * *", "0 9 * * mon", "0 9 1 * *", "0 * * * *", "*/15 * * * *"] as const;

/** The zones that this browser knows, UTC first, and always `current`. */
export function timeZones(current: string): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])];
}
