"use client";
import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { mergeClasses } from "@/components/merge-classes";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Approval } from "@/lib/console/shapes/approval";
import { ApprovalStatusBadge } from "./approval-status-badge";
import { CallArguments } from "./call-arguments";
import { CallTarget } from "./call-target";
import { DecisionForm } from "./decision-form";
import { DecisionOutcome } from "./decision-outcome";
import { useApproval } from "./use-approval";
import { useDecideApproval } from "./use-decide-approval";

interface ApprovalCardProps {
  approval: Approval;
  /** Whether the list that it comes from still has it among those that wait. */
  listed: boolean;
  agentName: string;
  /** Whether it leads to its own page: not when it stands there. */
  linked?: boolean;
}

/** One call with all that is needed to judge it, and the two buttons; afterwards, in the same place, what became of it. */
export function ApprovalCard({ approval: given, listed, agentName, linked = true }: ApprovalCardProps) {
  const decide = useDecideApproval(given.approval_id);
  const latest = useApproval(given, listed && !decide.isSuccess && !decide.isError);
  const approval = decide.data ?? latest;
  const waits = approval.status === "pending";
  return (
    <article
      aria-label={`Approval of ${approval.tool_name}`}
      className={mergeClasses("rounded-lg border bg-surface", waits ? "border-line-strong" : "border-line")}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-b px-4 py-3.5 sm:px-5">
        <AgentGlyph agentId={approval.agent_id ?? approval.run_id} className="mt-0.5 size-8 rounded-md" />
        <div className="min-w-0 flex-1">
          <h2 className="text-base [overflow-wrap:anywhere]">
            {approval.kind === "agent_edit" ? (
              <>
                An agent {waits ? "wants" : "wanted"} to change <span className="font-medium">{agentName}</span>
              </>
            ) : (
              <>
                <span className="font-medium">{agentName}</span> {waits ? "wants to use" : "asked to use"}{" "}
                <code className="font-medium font-mono text-sm">{approval.tool_name}</code>
              </>
            )}
          </h2>
          {approval.target === null && <p className="mt-0.5 text-muted text-sm [overflow-wrap:anywhere]">{whatOf(approval)}</p>}
        </div>
        <p className="text-faint text-xs max-sm:w-full max-sm:pl-11">
          {waits ? (
            <>
              Expires <RelativeTime time={approval.expires_at} />
            </>
          ) : (
            <ApprovalStatusBadge status={approval.status} />
          )}
        </p>
      </div>
      <div className="grid gap-4 px-4 py-4 sm:px-5">
        <CallTarget approval={approval} />
        <CallArguments approval={approval} />
        {waits ? (
          <DecisionForm approval={approval} decide={decide} />
        ) : (
          <DecisionOutcome approval={approval} decidedHere={!decide.isIdle} refusal={decide.error} />
        )}
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-4 py-2 text-faint text-xs sm:px-5">
        <span>
          Asked <RelativeTime time={approval.created_at} />
        </span>
        {approval.replaces && (
          <Link href={`/approvals/${approval.replaces}`} className="text-accent underline-offset-4 hover:underline">
            What was approved before
          </Link>
        )}
        <Link href={`/runs/${approval.run_id}`} className="text-accent underline-offset-4 hover:underline">
          Open the run
        </Link>
        {linked && (
          <Link href={`/approvals/${approval.approval_id}`} className="text-accent underline-offset-4 hover:underline">
            Link to this approval
          </Link>
        )}
      </p>
    </article>
  );
}

/** The summary without the tool's name, which stands above it. */
function whatOf({ summary, tool_name }: Approval): string {
  return summary.startsWith(`${tool_name}: `) ? summary.slice(tool_name.length + 2) : summary;
}
