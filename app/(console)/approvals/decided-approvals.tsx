"use client";
import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { consolePaths } from "@/lib/console/console-paths";
import type { Approval } from "@/lib/console/shapes/approval";
import { useConsolePages } from "@/lib/console/use-console-pages";
import type { ApprovalStatus } from "@/lib/model/approval/approval-status";
import { RunRowsSkeleton } from "../_run/run-rows-skeleton";
import { useAgentNames } from "../_run/use-agent-names";
import { QueryProblem } from "../_shared/query-problem";
import { ApprovalStatusBadge } from "./approval-status-badge";

const NONE: Record<Exclude<ApprovalStatus, "pending">, string> = {
  approved: "Calls that somebody approved stand here, with who asked and when.",
  rejected: "Calls that somebody rejected stand here, with what was said.",
  expired: "Calls that nobody decided in time, or whose run was ended, stand here.",
};

/** What was decided, newest first. */
export function DecidedApprovals({ status }: { status: Exclude<ApprovalStatus, "pending"> }) {
  const agentNames = useAgentNames();
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, isPlaceholderData } = useConsolePages<Approval>(
    consolePaths.approvals({ status }),
  );
  const approvals = isPlaceholderData ? undefined : data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Decided approvals" aria-busy={!approvals}>
      {error && !approvals && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !approvals && <RunRowsSkeleton rows={6} />}
      {approvals?.length === 0 && (
        <EmptyState title={`None ${status}`} seed={`none-${status}`}>
          {NONE[status]}
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {approvals?.map((approval) => (
          <li key={approval.approval_id}>
            <DecidedRow approval={approval} agentName={agentNames.get(approval.agent_id ?? "") ?? "General run"} />
          </li>
        ))}
      </ul>
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
    </Card>
  );
}

function DecidedRow({ approval, agentName }: { approval: Approval; agentName: string }) {
  return (
    <Link
      href={`/approvals/${approval.approval_id}`}
      className="flex min-h-14 items-center gap-3 px-4 py-2.5 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
    >
      <AgentGlyph agentId={approval.agent_id ?? approval.run_id} className="size-6 rounded-sm max-sm:hidden" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <code className="font-medium font-mono text-xs">{approval.tool_name}</code>
          <span className="text-muted"> · {agentName}</span>
        </span>
        <span className="block truncate text-faint text-xs">{approval.message ? `“${approval.message}”` : approval.summary}</span>
      </span>
      <ApprovalStatusBadge status={approval.status} />
      <span className="w-20 shrink-0 text-right text-faint text-xs max-sm:hidden">
        <RelativeTime time={approval.decided_at} />
      </span>
    </Link>
  );
}
