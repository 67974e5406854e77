"use client";
import { LogIn, Plug, Plus, Unplug } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Connection } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import type { ConnectionUse } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { serverUrlOf } from "@/lib/model/agent-config/connector-url";
import { QueryProblem } from "../_shared/query-problem";
import { CONNECTION_STATES } from "./connection-states";

interface ServerRow {
  url: string;
  /** Null: agents name the server, and nobody has connected it. */
  connection: Connection | null;
  uses: ConnectionUse[];
}

/** Every server that is connected or that an agent wants to be. */
export function ConnectionList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.connections,
  );
  const { data: uses } = useConsoleQuery(reads.connectionUses);
  const connections = data?.pages.flatMap((page) => page.data);
  const rows = connections && toRows(connections, uses?.data ?? [], !hasNextPage);
  return (
    <Card aria-label="Connections" aria-busy={!rows}>
      {error && !rows && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !rows && <Skeleton className="h-48 rounded-none" />}
      {rows?.length === 0 && (
        <EmptyState title="No connections yet" seed="connection-5">
          Where an MCP server asks for a sign-in, write{" "}
          <code className="font-mono text-xs">auth: oauth</code> beside its url in the agent's
          config, then sign in here.
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {rows?.map((row) => (
          <ConnectionRow key={row.url} row={row} />
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

function toRows(connections: Connection[], uses: ConnectionUse[], isWhole: boolean): ServerRow[] {
  const usesOf = (url: string) => uses.filter((use) => serverUrlOf(use.server_url) === url);
  const known = new Set(connections.map((connection) => connection.server_url));
  const wanted = new Set(
    uses.map((use) => serverUrlOf(use.server_url)).filter((url) => !known.has(url)),
  );
  return [
    ...(isWhole ? [...wanted].map((url) => ({ url, connection: null, uses: usesOf(url) })) : []),
    ...connections.map((connection) => ({
      url: connection.server_url,
      connection,
      uses: usesOf(connection.server_url),
    })),
  ];
}

const USERS_MAX = 3;

function ConnectionRow({ row: { url, connection, uses } }: { row: ServerRow }) {
  const state = CONNECTION_STATES[connection?.status ?? "pending"];
  const signIn = useSignIn();
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3 text-sm">
      <Plug aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="break-all font-medium font-mono text-xs leading-5">{url}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-1">
          <Badge tone={state.tone}>{state.label}</Badge>
          {connection?.scopes.map((scope) => (
            <Badge key={scope} className="max-w-full font-mono">
              <span className="truncate">{scope}</span>
            </Badge>
          ))}
        </p>
        {connection?.last_error && (
          <p className="mt-1.5 text-danger text-xs [overflow-wrap:anywhere]">
            {connection.last_error}
          </p>
        )}
        <p className="mt-1.5 text-faint text-xs [overflow-wrap:anywhere]">
          {uses.length === 0 ? "No active agent signs in with it." : "Used by "}
          {uses.slice(0, USERS_MAX).map((use, index) => (
            <span key={use.agent_id}>
              {index > 0 && ", "}
              <Link
                href={`/agents/${use.agent_id}?tab=config`}
                className="text-accent underline-offset-4 hover:underline"
              >
                {use.agent_name}
              </Link>
            </span>
          ))}
          {uses.length > USERS_MAX && ` and ${uses.length - USERS_MAX} more`}
        </p>
        {connection?.signed_in_at && (
          <p className="mt-1 text-faint text-xs">
            Signed in <RelativeTime time={connection.signed_in_at} />
            {connection.issuer && ` at ${connection.issuer}`}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant={connection?.status === "connected" ? "secondary" : "primary"}
          loading={signIn.isPending}
          onClick={() => signIn.mutate({ server_url: url })}
          aria-label={`Sign in to ${url}`}
        >
          <LogIn aria-hidden="true" />
          {connection?.status === "connected" ? "Sign in again" : "Sign in"}
        </Button>
        {connection && (
          <Button size="small" onClick={() => setAsking(true)} aria-label={`Disconnect ${url}`}>
            <Unplug aria-hidden="true" />
            Disconnect
          </Button>
        )}
      </div>
      {connection && (
        <DisconnectDialog
          connection={connection}
          uses={uses}
          open={isAsking}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}

interface SignInBody {
  server_url: string;
  client_id?: string;
  client_secret?: string;
}

/** Leads this very tab to the authorization server; it leads back to this page. */
function useSignIn({ quiet = false } = {}) {
  return useConsoleMutation((body: SignInBody) => consoleApi.post("/v1/connections", { body }), {
    quiet,
    onSuccess: ({ authorization_url }) => window.location.assign(authorization_url),
  });
}

interface DisconnectDialogProps {
  connection: Connection;
  uses: ConnectionUse[];
  open: boolean;
  onClose: () => void;
}

function DisconnectDialog({ connection, uses, open, onClose }: DisconnectDialogProps) {
  const remove = useConsoleMutation(
    () =>
      consoleApi.delete("/v1/connections/{connection_id}", {
        params: { path: { connection_id: connection.connection_id } },
      }),
    { stale: ["/v1/connections"], done: "Disconnected.", onSuccess: onClose },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Disconnect this server?"
      action="Disconnect"
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <span className="[overflow-wrap:anywhere]">{connection.server_url}</span>:{" "}
      {uses.length === 0
        ? "no active agent signs in with it."
        : "the agents that name it go without its tools from now on."}{" "}
      Its tokens are deleted, and the authorization server is told so.
    </ConfirmDialog>
  );
}

/** For a server that no agent names yet, or one that takes no registrations by itself. */
export function AddConnectionButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        Connect a server
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Connect a server"
        description={
          "You are led to the server's own sign-in and back here. The agents of this account " +
          "that name the address with auth: oauth then act there as you."
        }
      >
        <ConnectForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function ConnectForm({ onClose }: { onClose: () => void }) {
  const signIn = useSignIn({ quiet: true });
  return (
    <form
      noValidate
      autoComplete="off"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const text = (name: string) => String(given.get(name) ?? "").trim();
        const [client_id, client_secret] = [text("client_id"), text("client_secret")];
        signIn.mutate({
          server_url: text("server_url"),
          ...(client_id && { client_id }),
          ...(client_secret && { client_secret }),
        });
      }}
    >
      {signIn.error && (
        <Alert tone="danger" title="That server could not be connected" alert>
          {messageOf(signIn.error)}
        </Alert>
      )}
      <Field label="Server address" hint="Of the MCP server, as agents' configs name it.">
        {(control) => (
          <Input
            {...control}
            name="server_url"
            inputMode="url"
            placeholder="https://mcp.example.com/mcp"
            required
          />
        )}
      </Field>
      <Field
        label="Client id"
        optional
        hint="Only where the server takes no registrations: of a client that you registered there."
      >
        {(control) => <Input {...control} name="client_id" />}
      </Field>
      <Field label="Client secret" optional>
        {(control) => (
          <Input {...control} name="client_secret" type="password" autoComplete="off" />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={signIn.isPending}>
          Sign in
        </Button>
      </DialogActions>
    </form>
  );
}
