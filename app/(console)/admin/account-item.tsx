"use client";
import { Coins, Ellipsis, Lock, LockOpen, ScrollText } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { formatCount } from "@/components/format/format-count";
import { formatCredits } from "@/components/format/format-credits";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { AddCreditsDialog } from "./add-credits-dialog";
import { BlockDialog } from "./block-dialog";
import { SuperAgentSwitch } from "./super-agent-switch";

/** One account: who it is, what it has, and what an admin may change of it. */
export function AccountItem({ account }: { account: AdminAccount }) {
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
          {account.name} · {formatCredits(account.credits)} credits · since <RelativeTime time={account.created_at} />
          {limitsOf(account)}
        </p>
      </div>
      <div className="max-sm:order-last max-sm:col-span-2">
        <SuperAgentSwitch account={account} />
      </div>
      <Menu>
        <MenuTrigger asChild>
          <Button look="ghost" size="icon" aria-label={`Actions for ${account.email}`}>
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
