"use client";
import { Ellipsis, KeyRound, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ApiKey } from "@/lib/console/shapes/api-key";
import { RevokeKeyDialog } from "./revoke-key-dialog";
import { RotateKeyDialog } from "./rotate-key-dialog";

export function KeyRow({ apiKey, agentName }: { apiKey: ApiKey; agentName: string | null }) {
  const [dialog, setDialog] = useState<"rotate" | "revoke" | null>(null);
  const ended = apiKey.revoked_at !== null || (apiKey.expires_at !== null && Date.parse(apiKey.expires_at) < Date.now());
  const close = () => setDialog(null);
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <KeyRound aria-hidden="true" className={mergeClasses("size-4 shrink-0", ended ? "text-line-strong" : "text-faint")} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={mergeClasses("truncate font-medium", ended && "text-muted")}>{apiKey.name}</span>
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
              <Button look="ghost" size="icon" aria-label={`Actions for ${apiKey.name}`}>
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

function KeyState({ apiKey, ended, agentName }: { apiKey: ApiKey; ended: boolean; agentName: string | null }) {
  return (
    <>
      <Badge tone={apiKey.kind === "app" && !ended ? "accent" : "neutral"}>{apiKey.kind === "app" ? `Only ${agentName}` : "Account"}</Badge>
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
