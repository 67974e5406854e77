"use client";
import { consolePaths } from "@/lib/console/console-paths";
import type { Attention } from "@/lib/console/shapes/attention";
import { useConsoleQuery } from "@/lib/console/use-console-query";

const REFRESH_MILLISECONDS = 10_000;

/** What waits for the reader, looked at again every ten seconds while the page is in view. */
export function useAttention(): Attention {
  const { data } = useConsoleQuery<Attention>(consolePaths.attention, { refreshEvery: () => REFRESH_MILLISECONDS });
  return data ?? { pending_approvals: 0, unread_notifications: 0 };
}
