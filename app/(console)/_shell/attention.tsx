"use client";

import { mergeClasses } from "@/components/merge-classes";
import type { Attention } from "@/lib/console/console-schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { ATTENTION_MAX } from "@/lib/model/attention";

const REFRESH_MILLISECONDS = 10_000;

/** What waits for the reader, looked at again every ten seconds while the page is in view. */
export function useAttention(): Attention {
  const { data } = useConsoleQuery(reads.attention, { refreshEvery: () => REFRESH_MILLISECONDS });
  return data ?? { pending_approvals: 0, unread_notifications: 0 };
}

/** How many things wait. `what` follows the number for screen readers. Nothing for 0. */
export function CountBadge({ count, what, className }: { count: number; what: string; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={mergeClasses(
        "grid h-4.5 min-w-4.5 place-items-center rounded-full bg-primary px-1 font-medium text-2xs text-primary-foreground tabular",
        className,
      )}
    >
      <span>{count < ATTENTION_MAX ? count : `${ATTENTION_MAX - 1}+`}</span>
      <span className="sr-only"> {what}</span>
    </span>
  );
}
