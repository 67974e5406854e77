"use client";
import { useEffect, useState } from "react";
import { formatDuration } from "@/components/format/format-duration";

/** The time since `since`, counting on. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  // The browser's clock may run behind the server's.
  return <>{now === null ? "" : formatDuration(Math.max(0, now - Date.parse(since)))}</>;
}
