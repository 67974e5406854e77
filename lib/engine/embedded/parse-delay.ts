import "server-only";

const PERIOD_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/**
 * Milliseconds from `now` until what the SDK wrote as a duration (`"1d2h30m"`, `""` for none), an RFC 3339 time or a number of seconds
 * (`Retry-After`). Never negative. Throws when it is none of these.
 */
export function parseDelay(text: string, now: number = Date.now()): number {
  if (text === "") return 0;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (/^(\d+[wdhms])+$/.test(text)) {
    let sum = 0;
    for (const [, amount = "0", unit = "s"] of text.matchAll(/(\d+)([wdhms])/g)) sum += Number(amount) * (PERIOD_MS[unit] ?? 0);
    return sum;
  }
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new Error(`"${text}" is neither a duration nor a time`);
  return Math.max(0, time - now);
}
