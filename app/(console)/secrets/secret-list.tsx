"use client";

import { Ellipsis, LockKeyhole, Plus, RefreshCw, Trash2 } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Secret } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import type { SecretUse } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";
import { SecretDialog } from "./secret-dialog";

export function SecretList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.secrets,
  );
  const { data: uses } = useConsoleQuery(reads.secretUses);
  const secrets = data?.pages.flatMap((page) => page.data);
  return (
    <>
      {secrets && uses && !hasNextPage && <MissingSecrets secrets={secrets} uses={uses.data} />}
      <Card aria-label="Secrets" aria-busy={!secrets}>
        {error && !secrets && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !secrets && <Skeleton className="h-48 rounded-none" />}
        {secrets?.length === 0 && (
          <EmptyState title="No secrets yet" seed="secret-5">
            Add the key of a service that an agent calls, then name it in the agent's config:{" "}
            <code className="font-mono text-xs">auth_secret: CRM_KEY</code>. It travels as a bearer
            token, and nothing of it comes back.
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {secrets?.map((secret) => (
            <SecretRow
              key={secret.name}
              secret={secret}
              uses={uses?.data.filter((use) => use.secret_name === secret.name)}
            />
          ))}
        </ul>
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

const NAMED_MAX = 5;

/** Says which secrets agents name that are not there: their calls fail. */
function MissingSecrets({ secrets, uses }: { secrets: Secret[]; uses: SecretUse[] }) {
  const present = new Set(secrets.map((secret) => secret.name));
  const names = [...new Set(uses.map((use) => use.secret_name))].filter(
    (name) => !present.has(name),
  );
  const missing = names.map(
    (name) => [name, uses.filter((use) => use.secret_name === name)] as const,
  );
  if (missing.length === 0) return null;
  return (
    <Alert tone="warning" title="Agents name secrets that do not exist" className="mb-4">
      Calls of these connectors fail until they are added:
      <ul className="mt-1">
        {missing.slice(0, NAMED_MAX).map(([name, users]) => (
          <li key={name}>
            <code className="font-mono text-xs">{name}</code>, in{" "}
            {users
              .map((use) => use.agent_name)
              .slice(0, 3)
              .join(", ")}
            {users.length > 3 && ` and ${users.length - 3} more`}
          </li>
        ))}
      </ul>
      {missing.length > NAMED_MAX && `and ${missing.length - NAMED_MAX} more.`}
    </Alert>
  );
}

const USERS_MAX = 3;

function SecretRow({ secret, uses }: { secret: Secret; uses: SecretUse[] | undefined }) {
  const [dialog, setDialog] = useState<"replace" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="break-all font-medium font-mono text-xs leading-5">{secret.name}</p>
        {secret.description && (
          <p className="text-muted [overflow-wrap:anywhere]">{secret.description}</p>
        )}
        <p className="mt-1.5 flex flex-wrap gap-1">
          {secret.allowed_hosts.length === 0 && <Badge>only its connector's host</Badge>}
          {secret.allowed_hosts.map((host) => (
            <Badge key={host} className="max-w-full font-mono">
              <span className="truncate">{host}</span>
            </Badge>
          ))}
        </p>
        {uses && <UsedBy uses={uses} />}
        <p className="mt-1 text-faint text-xs md:hidden">
          Last used: <RelativeTime time={secret.last_used_at} />
        </p>
      </div>
      <dl className="hidden w-56 shrink-0 grid-cols-2 gap-4 text-xs md:grid">
        <div>
          <dt className="text-faint">Value set</dt>
          <dd>
            <RelativeTime time={secret.updated_at} />
          </dd>
        </div>
        <div>
          <dt className="text-faint">Last used</dt>
          <dd>
            <RelativeTime time={secret.last_used_at} />
          </dd>
        </div>
      </dl>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={`Actions for ${secret.name}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setDialog("replace")}>
            <RefreshCw aria-hidden="true" />
            Replace value
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuItem>
        </MenuContent>
      </Menu>
      <SecretDialog secret={secret} open={dialog === "replace"} onClose={close} />
      <DeleteSecretDialog
        secret={secret}
        uses={uses ?? []}
        open={dialog === "delete"}
        onClose={close}
      />
    </li>
  );
}

function UsedBy({ uses }: { uses: SecretUse[] }) {
  if (uses.length === 0)
    return <p className="mt-1.5 text-faint text-xs">No active agent names it.</p>;
  return (
    <p className="mt-1.5 text-faint text-xs">
      Used by{" "}
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
  );
}

interface DeleteSecretDialogProps {
  secret: Secret;
  uses: SecretUse[];
  open: boolean;
  onClose: () => void;
}

function DeleteSecretDialog({ secret, uses, open, onClose }: DeleteSecretDialogProps) {
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/secrets/{name}", { params: { path: { name: secret.name } } }),
    {
      stale: ["/v1/secrets"],
      done: `${secret.name} was deleted.`,
      onSuccess: onClose,
    },
  );
  const users =
    uses.length === 1
      ? "1 agent names it, and its calls"
      : `${uses.length} agents name it, and their calls`;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Delete ${secret.name}?`}
      action="Delete secret"
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {uses.length > 0 ? `${users} fail from now on.` : "No active agent names it."} The value is
      gone for good.
    </ConfirmDialog>
  );
}

/** Opens the dialog; so does `/secrets?add=true`. */
export function AddSecretButton() {
  const [open, setOpen] = useQueryState("add", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button variant="primary" onClick={() => void setOpen(true)}>
        <Plus aria-hidden="true" />
        Add secret
      </Button>
      <SecretDialog secret={null} open={open} onClose={() => void setOpen(null)} />
    </>
  );
}
