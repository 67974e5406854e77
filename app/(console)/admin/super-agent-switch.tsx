"use client";
import { useEffect } from "react";
import { Switch } from "@/components/ui/switch";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { useChangeAccount } from "./use-change-account";

/** The account's place on the super-agent's allowlist. Turns at once, and back when the service refuses. */
export function SuperAgentSwitch({ account }: { account: AdminAccount }) {
  const change = useChangeAccount(account.account_id);
  const { reset } = change;
  // Until the list has been read anew the answer counts, from then on the list again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another record is the sign that it was read
  useEffect(reset, [account, reset]);
  const asked = change.variables?.super_agent_access;
  const shown = change.isPending && asked !== undefined ? asked : (change.data?.super_agent_access ?? account.super_agent_access);
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
