"use client";
import type { Attention } from "@/lib/console/console-schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

const REFRESH_MILLISECONDS = 10_000;

/** What waits for the reader, looked at again every ten seconds while the page is in view. */
export function useAttention(): Attention {
  const { data } = useConsoleQuery(reads.attention, { refreshEvery: () => REFRESH_MILLISECONDS });
  return data ?? { pending_approvals: 0, unread_notifications: 0 };
}
