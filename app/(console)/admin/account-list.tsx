"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import type { UseMutationResult } from "@tanstack/react-query";
import { Coins, Ellipsis, Lock, LockOpen, ScrollText, Search } from "lucide-react";
import { debounce, parseAsString, useQueryState } from "nuqs";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { formatCount, formatCredits } from "@/components/format/format";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { INPUT_CLASSES, Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { consoleApi } from "@/lib/console/api";
import type { AccountChanges, AdminAccount } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";

const EMAIL_MAX_CHARACTERS = 254;

/** Every account of the service, found by its address. */
export function AccountList() {
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.adminAccounts({ q }),
  );
  const accounts = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="relative mb-4 sm:max-w-xs">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <input
          type="search"
          aria-label="Search accounts by e-mail"
          placeholder="Search by e-mail…"
          maxLength={EMAIL_MAX_CHARACTERS}
          value={q}
          onChange={(event) =>
            void setQ(event.target.value || null, { limitUrlUpdates: debounce(250) })
          }
          className={`${INPUT_CLASSES} h-8.5 pl-8`}
        />
      </div>
      <Card aria-label="Accounts" aria-busy={!accounts}>
        {error && !accounts && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !accounts && <AccountsSkeleton />}
        {accounts && accounts.length > 0 && (
          <ul className="divide-y divide-line">
            {accounts.map((account) => (
              <AccountItem key={account.account_id} account={account} />
            ))}
          </ul>
        )}
        {accounts?.length === 0 && (
          <EmptyState title="No account has such an address" seed="accounts">
            The search looks for this text anywhere in the e-mail address. Try a shorter part of it.
          </EmptyState>
        )}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

function AccountsSkeleton() {
  return (
    <div role="status" aria-label="Loading accounts" className="divide-y divide-line">
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never change
        <div key={index} className="grid h-18 content-center gap-2 px-4">
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-3.5 w-72 max-w-full" />
        </div>
      ))}
    </div>
  );
}

/** One account: who it is, what it has, and what an admin may change of it. */
function AccountItem({ account }: { account: AdminAccount }) {
  const [dialog, setDialog] = useState<"credits" | "block" | null>(null);
  const close = () => setDialog(null);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 px-4 py-3 text-sm sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium" title={account.email}>
            {account.email}
          </span>
          {account.admin && <Badge tone="accent">Admin</Badge>}
          {account.blocked && <Badge tone="danger">Blocked</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-xs [overflow-wrap:anywhere]">
          {account.name} · {formatCredits(account.credits)} credits · since{" "}
          <RelativeTime time={account.created_at} />
          {limitsOf(account)}
        </p>
      </div>
      <div className="max-sm:order-last max-sm:col-span-2">
        <SuperAgentSwitch account={account} />
      </div>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={`Actions for ${account.email}`}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setDialog("credits")}>
            <Coins aria-hidden="true" />
            Add credits
          </MenuItem>
          <MenuItem asChild>
            <Link href={`/admin/audit?account=${account.account_id}`}>
              <ScrollText aria-hidden="true" />
              Audit log
            </Link>
          </MenuItem>
          <MenuItem danger={!account.blocked} onSelect={() => setDialog("block")}>
            {account.blocked ? <LockOpen aria-hidden="true" /> : <Lock aria-hidden="true" />}
            {account.blocked ? "Unblock" : "Block"}
          </MenuItem>
        </MenuContent>
      </Menu>
      <AddCreditsDialog account={account} open={dialog === "credits"} onClose={close} />
      <BlockDialog account={account} open={dialog === "block"} onClose={close} />
    </li>
  );
}

/** Only limits of the account's own are worth a word. */
function limitsOf({ read_per_minute, runs_per_minute, write_per_hour }: AdminAccount): string {
  const own = [
    read_per_minute === null ? null : `${formatCount(read_per_minute)} reads a minute`,
    runs_per_minute === null ? null : `${formatCount(runs_per_minute)} runs a minute`,
    write_per_hour === null ? null : `${formatCount(write_per_hour)} writes an hour`,
  ].filter((text) => text !== null);
  return own.length > 0 ? ` · ${own.join(", ")}` : "";
}

/**
 * The account's place on the super-agent's allowlist. Turns at once, and back when the service
 * refuses.
 */
function SuperAgentSwitch({ account }: { account: AdminAccount }) {
  const change = useChangeAccount(account.account_id);
  const { reset } = change;
  // Until the list has been read anew the answer counts, from then on the list again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record says it was read
  useEffect(reset, [account, reset]);
  const asked = change.variables?.super_agent_access;
  const shown =
    change.isPending && asked !== undefined
      ? asked
      : (change.data?.super_agent_access ?? account.super_agent_access);
  return (
    <span className="flex items-center gap-2.5">
      <Switch
        aria-label={`Super-agent access for ${account.email}`}
        checked={shown}
        disabled={change.isPending}
        onCheckedChange={(on) => change.mutate({ super_agent_access: on })}
      />
      <span aria-hidden="true" className="text-muted text-xs">
        Super-agent
      </span>
    </span>
  );
}

interface BlockDialogProps {
  account: AdminAccount;
  open: boolean;
  onClose: () => void;
}

function BlockDialog({ account, open, onClose }: BlockDialogProps) {
  const { email, blocked } = account;
  const change = useChangeAccount(account.account_id, {
    done: blocked ? `${email} is open again.` : `${email} is blocked.`,
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={blocked ? `Unblock ${email}?` : `Block ${email}?`}
      action={blocked ? "Unblock account" : "Block account"}
      cancel="Leave it"
      calm={blocked}
      loading={change.isPending}
      onConfirm={() => change.mutate({ blocked: !blocked })}
    >
      {blocked
        ? "Its keys start runs again at once. Its owner signs in as before."
        : "Its sessions end and it can start no run from now on. Nothing of it is deleted, and " +
          "you can unblock it at any time."}
    </ConfirmDialog>
  );
}

interface AddCreditsDialogProps {
  account: AdminAccount;
  open: boolean;
  onClose: () => void;
}

const CREDITS_MAX = 1_000_000_000;
const schema = z.object({
  credits: z
    .string()
    .trim()
    .regex(/^\d+(\.\d{1,6})?$/, "A number of credits, such as 500, with at most six decimals.")
    .refine(
      (text) => Number(text) > 0 && Number(text) <= CREDITS_MAX,
      "More than 0, and at most 1,000,000,000.",
    ),
});

function AddCreditsDialog({ account, open, onClose }: AddCreditsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Add credits"
      description={
        `${account.email} has ${formatCredits(account.credits)} credits. They can be spent at ` +
        "once, and are not taken back here."
      }
    >
      <AddCreditsForm account={account} onClose={onClose} />
    </Dialog>
  );
}

function AddCreditsForm({ account, onClose }: Omit<AddCreditsDialogProps, "open">) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { credits: "" } });
  const change = useChangeAccount(account.account_id, {
    quiet: true,
    done: "The credits were added.",
    onSuccess: onClose,
  });
  return (
    <form
      onSubmit={form.handleSubmit(({ credits }) => change.mutate({ add_credits: Number(credits) }))}
      noValidate
    >
      <Field
        label="Credits"
        error={form.formState.errors.credits?.message ?? change.error?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register("credits")}
            inputMode="decimal"
            autoComplete="off"
            placeholder="500"
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" loading={change.isPending}>
          Add credits
        </Button>
      </DialogActions>
    </form>
  );
}

/** Changes another's account as an admin; the list is read again. */
function useChangeAccount(
  accountId: string,
  options: { quiet?: boolean; done?: string; onSuccess?: () => void } = {},
): UseMutationResult<AdminAccount, Error, AccountChanges> {
  return useConsoleMutation(
    (body: AccountChanges) =>
      consoleApi.patch("/admin/accounts/{account_id}", {
        params: { path: { account_id: accountId } },
        body,
      }),
    { ...options, stale: ["/admin/accounts"] },
  );
}
