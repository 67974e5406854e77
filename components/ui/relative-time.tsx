"use client";
import { useSyncExternalStore } from "react";
import { formatRelativeTime } from "@/components/format/format";

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all the times on a page, which stands still while nobody looks. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, 15_000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** “5 min. ago”, with the exact time in the title. */
export function RelativeTime({
  time,
  fallback = "Never",
}: {
  time: string | null | undefined;
  fallback?: string;
}) {
  const at = useSyncExternalStore(
    subscribe,
    () => now,
    () => 0,
  );
  if (!time) return <span className="text-faint">{fallback}</span>;
  // The server knows neither the reader's clock nor zone: it sends the day, and the browser puts in
  // the words.
  const text =
    at === 0
      ? time.slice(0, 10)
      : formatRelativeTime(
          time,
          Math.max(at, Date.parse(time) > at + 60_000 ? at : Date.parse(time)),
        );
  return (
    <time
      dateTime={time}
      title={at === 0 ? time : new Date(time).toLocaleString()}
      className="whitespace-nowrap"
    >
      {text}
    </time>
  );
}
