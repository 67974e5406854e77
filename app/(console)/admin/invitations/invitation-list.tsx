"use client";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi } from "@/lib/console/api";
import type { Invitation } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";

/** Every invitation, newest first. */
export function InvitationList() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(reads.adminInvitations);
  const invitations = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Invitations" aria-busy={!invitations}>
      {error && !invitations && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !invitations && <Skeleton className="h-32 rounded-none" />}
      {invitations?.length === 0 && (
        <EmptyState title="Nobody is invited" seed="invitations">
          An invitation lets one person make an account, also where signing up is not open to everybody.
        </EmptyState>
      )}
      {invitations && invitations.length > 0 && (
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.invitation_id} invitation={invitation} />
          ))}
        </ul>
      )}
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
    </Card>
  );
}

const STATUS: Record<Invitation["status"], { tone: BadgeTone; label: string }> = {
  pending: { tone: "accent", label: "Pending" },
  accepted: { tone: "success", label: "Accepted" },
  revoked: { tone: "neutral", label: "Revoked" },
  expired: { tone: "neutral", label: "Expired" },
};

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { email, status, mailed, created_at, expires_at } = invitation;
  const revoke = useConsoleMutation(
    () => consoleApi.post("/admin/invitations/{invitation_id}/revoke", { params: { path: { invitation_id: invitation.invitation_id } } }),
    {
      done: "The invitation is revoked.",
      stale: ["/admin/invitations"],
    },
  );
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium" title={email}>
            {email}
          </span>
          <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>
        </p>
        <p className="mt-0.5 text-faint text-xs">
          {mailed ? "Mailed" : "Link passed on by hand"} · <RelativeTime time={created_at} />
          {status === "pending" && (
            <>
              {" "}
              · until <RelativeTime time={expires_at} />
            </>
          )}
        </p>
      </div>
      {status === "pending" && (
        <Button size="small" aria-label={`Revoke the invitation of ${email}`} busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke
        </Button>
      )}
    </li>
  );
}
