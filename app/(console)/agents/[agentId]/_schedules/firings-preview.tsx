"use client";
import { nextFirings } from "@/lib/model/schedule/next-firings";
import { FiringTime } from "./firing-time";

/** The next three times, on the clock of the zone. Only for what `checkSchedule` lets through. */
export function FiringsPreview({ cron, timezone }: { cron: string; timezone: string }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <p className="caption">Next runs</p>
      <ol aria-label="Next runs" className="mt-1 grid gap-0.5 tabular">
        {nextFirings(cron, timezone, new Date(), 3).map((time) => (
          <li key={time.getTime()}>
            <FiringTime time={time} timezone={timezone} />
          </li>
        ))}
      </ol>
    </div>
  );
}
