"use client";
import { useReader } from "@/components/format/use-reader";

/** A firing on the clock of the schedule's zone: "in 2 days" would leave open which day that is. */
export function FiringTime({ time, timezone }: { time: Date; timezone: string }) {
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
  return <time dateTime={time.toISOString()}>{format.format(time)}</time>;
}
