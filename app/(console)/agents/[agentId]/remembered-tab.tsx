"use client";
import { Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Agent, RememberedApproval } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";

/** What the agent asks no more about, as somebody said when they approved a call. */
export function RememberedTab({ agent }: { agent: Agent }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.agentRemembered(agent.agent_id),
  );
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Remembered approvals" aria-busy={!rows}>
      {rows && rows.length > 0 && (
        <CardHeader title="Approvals" note="tools that wait for nobody" />
      )}
      {error && !rows && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !rows && <Skeleton className="m-4 h-12" />}
      {rows?.length === 0 && (
        <EmptyState title="Every guarded call asks" seed="remembered">
          Who approves a call can have the agent ask no more for that tool as it is defined. Such
          tools stand here, and can be taken back.
        </EmptyState>
      )}
      {rows && rows.length > 0 && (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <RememberedRow key={row.remembered_id} row={row} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

function RememberedRow({ row }: { row: RememberedApproval }) {
  const [asking, setAsking] = useState(false);
  const { agent_id, remembered_id, tool_name, definition } = row;
  const forget = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/agents/{agent_id}/remembered-approvals/{remembered_id}", {
        params: { path: { agent_id, remembered_id } },
      }),
    {
      stale: [`/v1/agents/${agent_id}/remembered-approvals`],
      done: `${tool_name} asks again.`,
      onSuccess: () => setAsking(false),
    },
  );
  return (
    <li className="relative px-4 py-3 text-sm">
      <details>
        <summary className="cursor-pointer pr-32 leading-7 [overflow-wrap:anywhere]">
          <code className="font-medium font-mono">{tool_name}</code>{" "}
          <span className="text-faint text-xs">
            <RelativeTime time={row.created_at} />
          </span>
        </summary>
        <div className="mt-3">
          <CodeBlock code={JSON.stringify(definition, null, 2)} label="definition of the tool" />
        </div>
      </details>
      <Button
        size="small"
        className="absolute top-3 right-4"
        aria-label={`Ask again for ${tool_name}`}
        onClick={() => setAsking(true)}
      >
        <Undo2 aria-hidden="true" />
        Ask again
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={(next) => !next && setAsking(false)}
        title={`Ask again for ${tool_name}?`}
        action="Ask again"
        loading={forget.isPending}
        onConfirm={() => forget.mutate()}
      >
        The next call of it waits for a person.
      </ConfirmDialog>
    </li>
  );
}
