"use client";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { WebhookSecret } from "@/lib/console/shapes/webhook-secret";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { QueryProblem } from "../_shared/query-problem";
import { RotateSigningSecretDialog } from "./rotate-signing-secret-dialog";

/** The secret that signs the account's webhooks, covered until somebody asks for it. */
export function SigningSecret() {
  const { data, error, refetch } = useConsoleQuery<WebhookSecret>(consolePaths.webhookSecret);
  const [shown, setShown] = useState(false);
  const [rotating, setRotating] = useState(false);
  const overlaps = data?.previous_expires_at && Date.parse(data.previous_expires_at) > Date.now() ? data.previous_expires_at : null;
  return (
    <Card aria-label="Signing secret">
      <CardHeader title="Signing secret" note="one for the whole account">
        <Button size="small" onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      </CardHeader>
      <div className="grid gap-3 p-4 text-sm">
        {error && !data && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !data && <Skeleton className="h-16" />}
        {data && (
          <>
            <div className="flex items-center gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
              <code data-testid="signing-secret" className="min-w-0 flex-1 break-all font-mono text-xs">
                {shown ? data.secret : `whsec_${"•".repeat(24)}`}
              </code>
              <Button look="ghost" size="icon-small" aria-label={shown ? "Hide secret" : "Show secret"} onClick={() => setShown(!shown)}>
                {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
              </Button>
              <CopyButton text={data.secret} what="signing secret" />
            </div>
            <p className="text-faint text-xs">
              In use since <RelativeTime time={data.created_at} />. Keep it on the servers that receive the webhooks.
            </p>
            {overlaps && (
              <Notice tone="info" title="The secret before this one still signs along">
                Until <RelativeTime time={overlaps} />: each webhook carries both signatures, and a receiver with either secret takes it.
                Put the secret above in place before then.
              </Notice>
            )}
          </>
        )}
      </div>
      <RotateSigningSecretDialog open={rotating} onClose={() => setRotating(false)} />
    </Card>
  );
}
