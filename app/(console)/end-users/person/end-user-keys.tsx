"use client";

import { LockKeyhole, Plug } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Card, CardHeader } from "@/components/ui/card";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { type ListPath, type Read, type RowOf, reads } from "@/lib/console/reads";
import { DeleteButton } from "../../_shared/delete-button";
import { QueryProblem } from "../../_shared/query-problem";
import { CONNECTION_STATES } from "../../connections/connection-states";

interface TheirsProps<P extends ListPath> {
  title: string;
  read: Read<P>;
  /** What it means that there are none. */
  none: ReactNode;
  row: (row: RowOf<P>) => ReactNode;
}

/** What stands before the account's own in this person's runs. */
function Theirs<P extends ListPath>({ title, read, none, row }: TheirsProps<P>) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useConsolePages(read);
  const rows = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label={title} aria-busy={!rows}>
      <CardHeader title={title} />
      {error && !rows && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !rows && <Skeleton className="h-16 rounded-none" />}
      {rows?.length === 0 && <p className="px-4 py-3.5 text-muted text-sm">{none}</p>}
      <ul className="divide-y divide-line">{rows?.map((each) => row(each as RowOf<P>))}</ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

export function EndUserSecrets({ name }: { name: string }) {
  return (
    <Theirs
      title="Secrets"
      read={reads.endUserSecrets(name)}
      none="They have none: their runs send the account’s."
      row={(secret) => (
        <li key={secret.name} className="flex items-start gap-3 px-4 py-3 text-sm">
          <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
          <div className="min-w-0 flex-1">
            <p className="break-all font-medium font-mono text-xs leading-5">{secret.name}</p>
            <p className="text-muted text-xs [overflow-wrap:anywhere]">
              {secret.allowed_hosts.join(", ")}
            </p>
            <p className="mt-1 text-faint text-xs">
              Last used: <RelativeTime time={secret.last_used_at} />
            </p>
          </div>
          <DeleteSecret endUser={name} name={secret.name} />
        </li>
      )}
    />
  );
}

function DeleteSecret({ endUser, name }: { endUser: string; name: string }) {
  const remove = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/secrets/{name}", {
        params: { path: { name }, query: { end_user: endUser } },
      }),
    { stale: ["/v1/secrets"], done: `${name} was deleted.` },
  );
  return (
    <DeleteButton noun="secret" name={name} remove={remove}>
      In this person’s runs the account’s secret of the name is sent from now on, where there is
      one. The value is gone for good.
    </DeleteButton>
  );
}

export function EndUserConnections({ name }: { name: string }) {
  return (
    <Theirs
      title="Connections"
      read={reads.endUserConnections(name)}
      none="They have signed in nowhere: their runs use the account’s sign-ins."
      row={(connection) => {
        const state = CONNECTION_STATES[connection.status];
        return (
          <li key={connection.connection_id} className="flex items-start gap-3 px-4 py-3 text-sm">
            <Plug aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
            <div className="min-w-0 flex-1">
              <p className="break-all font-medium font-mono text-xs leading-5">
                {connection.server_url}
              </p>
              <p className="mt-1">
                <Badge tone={state.tone}>{state.label}</Badge>
              </p>
              {connection.last_error && (
                <p className="mt-1.5 text-danger text-xs [overflow-wrap:anywhere]">
                  {connection.last_error}
                </p>
              )}
            </div>
            <Disconnect id={connection.connection_id} url={connection.server_url} />
          </li>
        );
      }}
    />
  );
}

function Disconnect({ id, url }: { id: string; url: string }) {
  const remove = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/connections/{connection_id}", {
        params: { path: { connection_id: id } },
      }),
    { stale: ["/v1/connections"], done: "Disconnected." },
  );
  return (
    <DeleteButton noun="connection" name={url} remove={remove}>
      Their tokens are deleted, and the authorization server is told so. Their runs use the
      account’s sign-in from now on, where there is one.
    </DeleteButton>
  );
}
