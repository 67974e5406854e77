"use client";

import { Ellipsis, KeyRound, Plus, RefreshCw, Trash2 } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi } from "@/lib/console/api";
import type { ApiKey } from "@/lib/console/console-schemas";
import { useAgentNames, useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { RevealedKey, useNewKey } from "../_shared/new-key";
import { QueryProblem } from "../_shared/query-problem";
import { OverlapField } from "../_shell/overlap-field";
import { CreateKeyDialog } from "./create-key-dialog";

export function KeyList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.keys,
  );
  const agentNames = useAgentNames();
  const keys = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Keys">
      {error && !keys && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !keys && <Skeleton className="h-48 rounded-none" />}
      {keys?.length === 0 && (
        <EmptyState title="No keys yet" seed="key-1">
          A key is what your backend sends with each request:{" "}
          <code className="font-mono text-xs">Authorization: Bearer svc_sk_…</code>. It is shown
          once, when it is made.
        </EmptyState>
      )}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line">
          {keys.map((key) => (
            <KeyRow
              key={key.key_id}
              apiKey={key}
              agentName={key.agent_id ? (agentNames.get(key.agent_id) ?? "an agent") : null}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
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

export function KeyRow({ apiKey, agentName }: { apiKey: ApiKey; agentName: string | null }) {
  const [dialog, setDialog] = useState<"rotate" | "revoke" | null>(null);
  const ended =
    apiKey.revoked_at !== null ||
    (apiKey.expires_at !== null && Date.parse(apiKey.expires_at) < Date.now());
  const close = () => setDialog(null);
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <KeyRound
        aria-hidden="true"
        className={mergeClasses("size-4 shrink-0", ended ? "text-line-strong" : "text-faint")}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={mergeClasses("truncate font-medium", ended && "text-muted")}>
            {apiKey.name}
          </span>
          <KeyState apiKey={apiKey} ended={ended} agentName={agentName} />
        </p>
        <p className="mt-0.5 font-mono text-faint text-xs">
          {apiKey.prefix}…{apiKey.last_four}
        </p>
      </div>
      <dl className="hidden w-64 shrink-0 grid-cols-2 gap-4 text-xs md:grid">
        <div>
          <dt className="text-faint">Created</dt>
          <dd>
            <RelativeTime time={apiKey.created_at} />
          </dd>
        </div>
        <div>
          <dt className="text-faint">Last used</dt>
          <dd>
            <RelativeTime time={apiKey.last_used_at} />
          </dd>
        </div>
      </dl>
      <div className="w-8">
        {!ended && (
          <Menu>
            <MenuTrigger asChild>
              <Button variant="ghost" size="icon" aria-label={`Actions for ${apiKey.name}`}>
                <Ellipsis aria-hidden="true" />
              </Button>
            </MenuTrigger>
            <MenuContent>
              <MenuItem onSelect={() => setDialog("rotate")}>
                <RefreshCw aria-hidden="true" />
                Rotate
              </MenuItem>
              <MenuItem danger onSelect={() => setDialog("revoke")}>
                <Trash2 aria-hidden="true" />
                Revoke
              </MenuItem>
            </MenuContent>
          </Menu>
        )}
      </div>
      <RotateKeyDialog apiKey={apiKey} open={dialog === "rotate"} onClose={close} />
      <RevokeKeyDialog apiKey={apiKey} open={dialog === "revoke"} onClose={close} />
    </li>
  );
}

function KeyState({
  apiKey,
  ended,
  agentName,
}: {
  apiKey: ApiKey;
  ended: boolean;
  agentName: string | null;
}) {
  return (
    <>
      <Badge tone={apiKey.kind === "app" && !ended ? "accent" : "neutral"}>
        {apiKey.kind === "app" ? `Only ${agentName}` : "Account"}
      </Badge>
      {apiKey.agent_version !== null && <Badge>{`Version ${apiKey.agent_version}`}</Badge>}
      {apiKey.revoked_at ? (
        <Badge tone="danger">Revoked</Badge>
      ) : ended ? (
        <Badge tone="warning">Expired</Badge>
      ) : (
        apiKey.expires_at && (
          <span className="text-faint text-xs">
            expires <RelativeTime time={apiKey.expires_at} />
          </span>
        )
      )}
    </>
  );
}

function RevokeKeyDialog({
  apiKey,
  open,
  onClose,
}: {
  apiKey: ApiKey;
  open: boolean;
  onClose: () => void;
}) {
  const { apiKey: fresh, remember } = useNewKey();
  const revoke = useConsoleMutation(
    () => consoleApi.post("/keys/{key_id}/revoke", { params: { path: { key_id: apiKey.key_id } } }),
    {
      stale: [reads.keys],
      done: `“${apiKey.name}” was revoked.`,
      onSuccess: () => {
        // Code to copy must not carry a key that no longer works.
        if (fresh?.endsWith(apiKey.last_four)) remember(null);
        onClose();
      },
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      loading={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    >
      Whatever uses the key ending in {apiKey.last_four} is refused within a second. This cannot be
      undone.
    </ConfirmDialog>
  );
}

/**
 * Makes a successor; the old key lives on for as long as the owner picks, so that nothing breaks in
 * between.
 */
function RotateKeyDialog({
  apiKey,
  open,
  onClose,
}: {
  apiKey: ApiKey;
  open: boolean;
  onClose: () => void;
}) {
  const [overlap, setOverlap] = useState("1440");
  const { remember } = useNewKey();
  const rotate = useConsoleMutation(
    () =>
      consoleApi.post("/keys/{key_id}/rotate", {
        params: { path: { key_id: apiKey.key_id } },
        body: { overlap_minutes: Number(overlap) },
      }),
    { stale: [reads.keys], onSuccess: (key) => key.kind === "account" && remember(key.api_key) },
  );
  const close = () => {
    onClose();
    setTimeout(rotate.reset, 200);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      holds={rotate.isSuccess}
      title={rotate.data ? "The new key" : `Rotate “${apiKey.name}”`}
      description={
        rotate.data
          ? undefined
          : "Makes a new key with the same name and scope. The old one goes on for a while, so " +
            "that you can swap them in peace."
      }
    >
      {rotate.data ? (
        <RevealedKey apiKey={rotate.data.api_key} />
      ) : (
        <OverlapField label="The old key works for" value={overlap} onChange={setOverlap} />
      )}
      <DialogActions>
        {rotate.data ? (
          <Button variant="primary" onClick={close}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" loading={rotate.isPending} onClick={() => rotate.mutate()}>
              Rotate key
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}
