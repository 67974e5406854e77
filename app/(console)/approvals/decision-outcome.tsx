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

interface DecisionOutcomeProps {
  approval: Approval;
  /** Decided, or tried to be, in this very place: its button had the focus and is gone, so who decides by keyboard goes on from here. */
  decidedHere: boolean;
  /** The answer to a decision that came too late. */
  refusal: ConsoleError | null;
}

/** What became of a call. */
export function DecisionOutcome({ approval, decidedHere, refusal }: DecisionOutcomeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (decidedHere && document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [decidedHere]);
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
