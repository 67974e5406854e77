"use client";
import { useEffect, useRef } from "react";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ConsoleError } from "@/lib/console/console-error";
import type { Approval } from "@/lib/console/shapes/approval";

const OUTCOMES = {
  pending: "",
  approved: "Approved: the call is made, and the run goes on.",
  rejected: "Rejected: the call is not made. The agent was told, and the run goes on without it.",
  expired: "Expired: nobody decided in time, or the run was ended. The call is not made.",
};

/** What became of a call. `refusal` is the answer to a decision that came too late. */
export function DecisionOutcome({ approval, refusal }: { approval: Approval; refusal: ConsoleError | null }) {
  const place = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone: who decides by keyboard goes on from here.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={-1} className="grid gap-3 rounded-sm text-sm outline-none">
      {refusal && (
        <Notice tone="warning" title="It was settled before your decision arrived" alert>
          {refusal.message}
        </Notice>
      )}
      <p role="status" className="font-medium">
        {OUTCOMES[approval.status]}
      </p>
      {approval.message && (
        <blockquote className="border-line-strong border-l-2 pl-3 text-muted [overflow-wrap:anywhere]">{approval.message}</blockquote>
      )}
      {approval.decided_at && (
        <p className="text-faint text-xs">
          {approval.status === "expired" ? "Expired" : "Decided"} <RelativeTime time={approval.decided_at} />
        </p>
      )}
    </div>
  );
}
