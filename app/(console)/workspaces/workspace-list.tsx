"use client";

import { FolderClosed, Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";
import { WorkspaceForm, type WorkspaceValues } from "./workspace-dialogs";

export function WorkspaceList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.workspaces,
  );
  const workspaces = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Workspaces" aria-busy={!workspaces}>
      {error && !workspaces && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !workspaces && <Skeleton className="h-40 rounded-none" />}
      {workspaces?.length === 0 && (
        <EmptyState title="No workspaces yet" seed="workspace-4">
          Put files in a workspace, name it when you start a run, and the agent can list and read
          them: figures, notes, a handbook.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {workspaces?.map((workspace) => (
          <li key={workspace.workspace_id}>
            <Link
              href={`/workspaces/${workspace.workspace_id}`}
              className="flex min-h-14 items-center gap-3.5 px-4 py-2.5 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <FolderClosed aria-hidden="true" className="size-5 shrink-0 text-accent" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium text-base">{workspace.name}</span>
                {workspace.description && (
                  <span className="block truncate text-muted">{workspace.description}</span>
                )}
              </span>
              <span className="text-faint text-xs">
                <RelativeTime time={workspace.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

export function CreateWorkspaceButton() {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const create = useConsoleMutation(
    (body: WorkspaceValues) => consoleApi.post("/v1/workspaces", { body }),
    {
      stale: ["/v1/workspaces"],
      quiet: true,
      onSuccess: (workspace) => router.push(`/workspaces/${workspace.workspace_id}`),
    },
  );
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        Create workspace
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Create workspace">
        <WorkspaceForm
          action="Create workspace"
          loading={create.isPending}
          error={messageOf(create.error)}
          onSubmit={(values) => create.mutate(values)}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
