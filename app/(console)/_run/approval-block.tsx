"use client";
import { ShieldQuestion } from "lucide-react";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import type { BlockOf } from "./block-of";

const DECIDED = {
  approve: { label: "Approved", tone: "success" },
  reject: { label: "Rejected", tone: "danger" },
  expired: { label: "Expired", tone: "neutral" },
} as const;

/** A call that waits for a person, and afterwards what the person said. */
export function ApprovalBlock({ block }: { block: BlockOf<"approval"> }) {
  const resolve = useConsoleMutation(
    (decision: "approve" | "reject") =>
      requestConsoleJson(`v1/approvals/${encodeURIComponent(block.id)}/resolve`, { method: "POST", body: { decision } }),
    { stale: ["v1/runs", "v1/approvals"] },
  );
  // The decision comes back as an event; until then the buttons rest.
  const waiting = resolve.isPending || resolve.isSuccess;
  const decided = block.decision ? DECIDED[block.decision] : null;
  return (
    <fieldset
      aria-label={`Approval of ${block.toolName}`}
      className={
        decided
          ? "min-w-0 rounded-lg border border-line bg-surface p-3.5"
          : "min-w-0 rounded-lg border border-warning-line bg-warning-soft p-3.5"
      }
    >
      <div className="flex items-start gap-3">
        <ShieldQuestion aria-hidden="true" className={decided ? "mt-0.5 size-4 text-faint" : "mt-0.5 size-4 text-warning"} />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-sm">
            {decided ? "Asked to use " : "May the agent use "}
            <code className="font-mono text-xs">{block.toolName}</code>
            {decided ? "" : "?"}
          </p>
          <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">{block.summary}</p>
          {block.reason && <p className="mt-1 text-sm [overflow-wrap:anywhere]">{block.reason}</p>}
          <Link href={`/approvals/${block.id}`} className="mt-1 inline-block text-accent text-sm underline underline-offset-4">
            See what it {decided ? "was about to send" : "is about to send"}
          </Link>
          {!decided && (
            <div className="mt-3 flex gap-2">
              <Button
                look="primary"
                size="small"
                disabled={waiting}
                busy={waiting && resolve.variables === "approve"}
                onClick={() => resolve.mutate("approve")}
              >
                Approve
              </Button>
              <Button
                size="small"
                disabled={waiting}
                busy={waiting && resolve.variables === "reject"}
                onClick={() => resolve.mutate("reject")}
              >
                Reject
              </Button>
            </div>
          )}
        </div>
        {decided && <Badge tone={decided.tone}>{decided.label}</Badge>}
      </div>
    </fieldset>
  );
}
