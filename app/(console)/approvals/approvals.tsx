"use client";
import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { Approval } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { ApprovalStatus } from "@/lib/model/approval/approval";
import { useAgentNames } from "../../../lib/console/queries";
import { RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";
import { ApprovalCard } from "./approval-card";
import { APPROVAL_FILTERS, ApprovalStatusBadge, PENDING_APPROVALS } from "./approval-parts";

const FILTER_VALUES = APPROVAL_FILTERS.map(({ value }) => value);

/** What waits, or what was decided, by the status in the address. */
export function Approvals() {
  const [status, setStatus] = useQueryState(
    "status",
    parseAsStringLiteral(FILTER_VALUES).withDefault("pending"),
  );
  return (
    <>
      <div className="mb-4">
        <ToggleGroup
          label="Status"
          value={status}
          options={APPROVAL_FILTERS}
          onChange={(next) => void setStatus(next)}
        />
      </div>
      {status === "pending" ? <ApprovalQueue /> : <DecidedApprovals status={status} />}
    </>
  );
}

/** The approvals that wait for a decision, oldest first. */
function ApprovalQueue() {
  const agentNames = useAgentNames();
  const { approvals, waiting, query } = useApprovalQueue();
  return (
    <section aria-label="Waiting approvals" aria-busy={!approvals}>
      <p role="status" className="sr-only">
        {approvals &&
          (waiting.size === 1 ? "1 approval waits." : `${waiting.size} approvals wait.`)}
      </p>
      {query.error && !approvals && (
        <Card>
          <QueryProblem error={query.error} retry={() => void query.refetch()} />
        </Card>
      )}
      {!query.error && !approvals && <Skeleton className="h-72 rounded-lg" />}
      {approvals?.length === 0 && <NothingWaits />}
      {query.hasNextPage && (
        <Alert
          tone="info"
          title="Older ones wait too"
          className="mb-4"
          action={
            <Button
              size="small"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Show older ones
            </Button>
          }
        >
          The {waiting.size} newest are shown. What nobody decides in time expires.
        </Alert>
      )}
      <ul className="grid gap-4">
        {approvals?.map((approval) => (
          <li key={approval.approval_id} className="min-w-0">
            <ApprovalCard
              approval={approval}
              listed={waiting.has(approval.approval_id)}
              agentName={
                approval.agent_id
                  ? (agentNames.get(approval.agent_id) ?? "An agent")
                  : "A general run"
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NothingWaits() {
  return (
    <Card>
      <EmptyState title="Nothing waits for you" seed="approve-3">
        An agent that is set to ask first, or whose config names a tool under{" "}
        <code className="font-mono text-xs">permissions.ask</code>, stops here before it writes
        anywhere outside. You see what it is about to send, and decide.
      </EmptyState>
    </Card>
  );
}

const REFRESH_MILLISECONDS = 4_000;
type Pages = ReturnType<typeof useConsolePages<"/v1/approvals">>;

interface UseApprovalQueueApprovalQueue {
  /** Oldest first; undefined until the first answer. */
  approvals: Approval[] | undefined;
  /** Ids of those that still wait. */
  waiting: ReadonlySet<string>;
  query: UseInfiniteQueryResult<Pages["data"], Error>;
}

/**
 * The approvals that wait, oldest first, kept up to date. What is settled meanwhile keeps its place
 * and new ones come at the end:
 * nothing moves under the hand of somebody who is about to press a button.
 */
function useApprovalQueue(): UseApprovalQueueApprovalQueue {
  const query = useConsolePages(PENDING_APPROVALS, { refreshEvery: () => REFRESH_MILLISECONDS });
  const listed = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  const [seen, setSeen] = useState<ReadonlyMap<string, Approval>>(new Map());
  useEffect(() => {
    if (listed) setSeen((before) => withRows(before, listed));
  }, [listed]);
  const approvals = listed && [...withRows(seen, listed).values()].sort(byAge);
  return { approvals, waiting: new Set(listed?.map((row) => row.approval_id)), query };
}

function withRows(
  before: ReadonlyMap<string, Approval>,
  rows: Approval[],
): ReadonlyMap<string, Approval> {
  return new Map([...before, ...rows.map((row) => [row.approval_id, row] as const)]);
}

/** Ids begin with their time. */
function byAge(a: Approval, b: Approval): number {
  return a.approval_id < b.approval_id ? -1 : 1;
}

const NONE: Record<Exclude<ApprovalStatus, "pending">, string> = {
  approved: "Calls that somebody approved stand here, with who asked and when.",
  rejected: "Calls that somebody rejected stand here, with what was said.",
  expired: "Calls that nobody decided in time, or whose run was ended, stand here.",
};

/** What was decided, newest first. */
function DecidedApprovals({ status }: { status: Exclude<ApprovalStatus, "pending"> }) {
  const agentNames = useAgentNames();
  const {
    data,
    error,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
    isPlaceholderData,
  } = useConsolePages(reads.approvals({ status }));
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
            <DecidedRow
              approval={approval}
              agentName={agentNames.get(approval.agent_id ?? "") ?? "General run"}
            />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

function DecidedRow({ approval, agentName }: { approval: Approval; agentName: string }) {
  return (
    <Link
      href={`/approvals/${approval.approval_id}`}
      className="flex min-h-14 items-center gap-3 px-4 py-2.5 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
    >
      <AgentGlyph
        agentId={approval.agent_id ?? approval.run_id}
        className="size-6 rounded-sm max-sm:hidden"
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <code className="font-medium font-mono text-xs">{approval.tool_name}</code>
          <span className="text-muted"> · {agentName}</span>
        </span>
        <span className="block truncate text-faint text-xs">
          {approval.message ? `“${approval.message}”` : approval.summary}
        </span>
      </span>
      <ApprovalStatusBadge status={approval.status} />
      <span className="w-20 shrink-0 text-right text-faint text-xs max-sm:hidden">
        <RelativeTime time={approval.decided_at} />
      </span>
    </Link>
  );
}
