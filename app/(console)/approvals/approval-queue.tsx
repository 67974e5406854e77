"use client";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { useAgentNames } from "../_run/use-agent-names";
import { QueryProblem } from "../_shared/query-problem";
import { ApprovalCard } from "./approval-card";
import { useApprovalQueue } from "./use-approval-queue";

/** The approvals that wait for a decision, oldest first. */
export function ApprovalQueue() {
  const agentNames = useAgentNames();
  const { approvals, waiting, query } = useApprovalQueue();
  return (
    <section aria-label="Waiting approvals" aria-busy={!approvals}>
      <p role="status" className="sr-only">
        {approvals && (waiting.size === 1 ? "1 approval waits." : `${waiting.size} approvals wait.`)}
      </p>
      {query.error && !approvals && (
        <Card>
          <QueryProblem error={query.error} retry={() => void query.refetch()} />
        </Card>
      )}
      {!query.error && !approvals && <Skeleton className="h-72 rounded-lg" />}
      {approvals?.length === 0 && <NothingWaits />}
      {query.hasNextPage && (
        <Notice
          tone="info"
          title="Older ones wait too"
          className="mb-4"
          action={
            <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older ones
            </Button>
          }
        >
          The {waiting.size} newest are shown. What nobody decides in time expires.
        </Notice>
      )}
      <ul className="grid gap-4">
        {approvals?.map((approval) => (
          <li key={approval.approval_id} className="min-w-0">
            <ApprovalCard
              approval={approval}
              listed={waiting.has(approval.approval_id)}
              agentName={approval.agent_id ? (agentNames.get(approval.agent_id) ?? "An agent") : "A general run"}
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
        An agent that is set to ask first, or whose config names a tool under <code className="font-mono text-xs">permissions.ask</code>,
        stops here before it writes anywhere outside. You see what it is about to send, and decide.
      </EmptyState>
    </Card>
  );
}
