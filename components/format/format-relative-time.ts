const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** “3 min. ago”, “in 2 days”; “just now” within 45 seconds. `now` is in milliseconds. */
export function formatRelativeTime(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  if (Math.abs(seconds) < 45) return "just now";
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(Math.round(seconds / 60) || (seconds < 0 ? -1 : 1), "minute");
}
