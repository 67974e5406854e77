import "server-only";

const PERIOD_MS: Record<string, number> = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 };

/** Milliseconds of what the SDK wrote as a duration (`"1d2h30m"`, `""` for none). Throws for anything else: a time is among that. */
export function parseDelay(text: string): number {
  if (!/^(\d+[wdhms])*$/.test(text)) throw new Error(`"${text}" is no duration, and times (step.sleepUntil) are not supported`);
  let sum = 0;
  for (const [, amount = "0", unit = "s"] of text.matchAll(/(\d+)([wdhms])/g)) sum += Number(amount) * (PERIOD_MS[unit] ?? 0);
  return sum;
}
