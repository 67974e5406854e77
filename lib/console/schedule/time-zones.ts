/** The zones that this browser knows, UTC first, and always `current`. */
export function timeZones(current: string): string[] {
  return [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current])];
}
