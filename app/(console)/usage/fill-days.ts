interface Day {
  day: string;
  credits: number;
  runs: number;
}

const SHOWN_DAYS = 30;
const DAY_MILLISECONDS = 86_400_000;

/** The last 30 days up to `now`'s, UTC, those without spend too: a gap would read as if time had skipped. */
export function fillDays(days: Day[], now: Date): Day[] {
  const known = new Map(days.map((day) => [day.day.slice(0, 10), day]));
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = new Date(now.getTime() - (SHOWN_DAYS - 1 - index) * DAY_MILLISECONDS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, credits: 0, runs: 0 };
  });
}
