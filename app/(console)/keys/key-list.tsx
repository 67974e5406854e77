"use client";

import { Plus } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { CreateKeyDialog } from "../_keys/create-key-dialog";
import { KeyRow } from "../_keys/key-row";
import { useAgentNames } from "../_run/use-agent-names";
import { QueryProblem } from "../_shared/query-problem";

export function KeyList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(reads.keys);
  const agentNames = useAgentNames();
  const keys = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Keys">
      {error && !keys && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !keys && <Skeleton className="h-48 rounded-none" />}
      {keys?.length === 0 && (
        <EmptyState title="No keys yet" seed="key-1">
          A key is what your backend sends with each request: <code className="font-mono text-xs">Authorization: Bearer svc_sk_…</code>. It
          is shown once, when it is made.
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow key={key.key_id} apiKey={key} agentName={key.agent_id ? (agentNames.get(key.agent_id) ?? "an agent") : null} />
          ))}
        </ul>
      )}
      {hasNextPage && <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
    </Card>
  );
}

/** Opens the dialog; so does `/keys?create=true`. */
export function CreateKeyButton() {
  const [open, setOpen] = useQueryState("create", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button variant="primary" onClick={() => void setOpen(true)}>
        <Plus aria-hidden="true" />
        Create key
      </Button>
      <CreateKeyDialog open={open} onOpenChange={(next) => void setOpen(next ? true : null)} />
    </>
  );
}
