"use client";
import { useReader } from "@/components/format/use-reader";
import { nextFirings } from "@/lib/model/schedule/next-firings";

/** The next three times, on the clock of the zone. Only for what `checkSchedule` lets through. */
export function FiringsPreview({ cron, timezone }: { cron: string; timezone: string }) {
  const { locale } = useReader();
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: timezone,
  });
  return (
    <div className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <p className="caption">Next runs</p>
      <ol aria-label="Next runs" className="mt-1 grid gap-0.5 tabular">
        {nextFirings(cron, timezone, new Date(), 3).map((time) => (
          <li key={time.getTime()}>
            <time dateTime={time.toISOString()}>{format.format(time)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}
