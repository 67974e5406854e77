"use client";
import { Ellipsis, LockKeyhole, RefreshCw, Trash2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Secret, SecretUse } from "@/lib/console/shapes/secret";
import { DeleteSecretDialog } from "./delete-secret-dialog";
import { SecretDialog } from "./secret-dialog";

const USERS_MAX = 3;

export function SecretRow({ secret, uses }: { secret: Secret; uses: SecretUse[] | undefined }) {
  const [dialog, setDialog] = useState<"replace" | "delete" | null>(null);
  const close = () => setDialog(null);
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="break-all font-medium font-mono text-xs leading-5">{secret.name}</p>
        {secret.description && <p className="text-muted [overflow-wrap:anywhere]">{secret.description}</p>}
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
          <Button look="ghost" size="icon" aria-label={`Actions for ${secret.name}`}>
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
      <DeleteSecretDialog secret={secret} uses={uses ?? []} open={dialog === "delete"} onClose={close} />
    </li>
  );
}

function UsedBy({ uses }: { uses: SecretUse[] }) {
  if (uses.length === 0) return <p className="mt-1.5 text-faint text-xs">No active agent names it.</p>;
  return (
    <p className="mt-1.5 text-faint text-xs">
      Used by{" "}
      {uses.slice(0, USERS_MAX).map((use, index) => (
        <span key={use.agent_id}>
          {index > 0 && ", "}
          <Link href={`/agents/${use.agent_id}?tab=config`} className="text-accent underline-offset-4 hover:underline">
            {use.agent_name}
          </Link>
        </span>
      ))}
      {uses.length > USERS_MAX && ` and ${uses.length - USERS_MAX} more`}
    </p>
  );
}
