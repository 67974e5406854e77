"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
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
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.adminInvitations,
  );
  const invitations = data?.pages.flatMap((page) => page.data);
  return (
    <Card aria-label="Invitations" aria-busy={!invitations}>
      {error && !invitations && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !invitations && <Skeleton className="h-32 rounded-none" />}
      {invitations?.length === 0 && (
        <EmptyState title="Nobody is invited" seed="invitations">
          An invitation lets one person make an account, also where signing up is not open to
          everybody.
        </EmptyState>
      )}
      {invitations && invitations.length > 0 && (
        <ul className="divide-y divide-line">
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.invitation_id} invitation={invitation} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
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
    () =>
      consoleApi.post("/admin/invitations/{invitation_id}/revoke", {
        params: { path: { invitation_id: invitation.invitation_id } },
      }),
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
        <Button
          size="small"
          aria-label={`Revoke the invitation of ${email}`}
          loading={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}

const schema = z.object({ email: z.email("Enter an e-mail address, such as ada@example.com.") });

/** Invites an address; where no mail could be sent, shows the link this once. */
export function InviteForm() {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "" } });
  const invite = useConsoleMutation(
    (body: { email: string }) => consoleApi.post("/admin/invitations", { body }),
    {
      quiet: true,
      stale: ["/admin/invitations"],
      onSuccess: () => form.reset(),
    },
  );
  return (
    <Card aria-label="Invite somebody" className="p-4">
      <form
        onSubmit={form.handleSubmit((values) => invite.mutate(values))}
        noValidate
        className="flex flex-wrap items-start gap-2"
      >
        <div className="min-w-0 flex-1 basis-56">
          <Field
            label="Email"
            error={form.formState.errors.email?.message ?? invite.error?.message}
          >
            {(control) => (
              <Input
                {...control}
                {...form.register("email")}
                type="email"
                autoComplete="off"
                placeholder="ada@example.com"
              />
            )}
          </Field>
        </div>
        <Button
          type="submit"
          variant="primary"
          loading={invite.isPending}
          className="mt-[1.625rem] h-9"
        >
          Invite
        </Button>
      </form>
      {invite.data && <Outcome invitation={invite.data} />}
    </Card>
  );
}

function Outcome({
  invitation: { email, link },
}: {
  invitation: { email: string; link: string | null };
}) {
  if (link === null) {
    return (
      <p role="status" className="mt-3 text-muted text-sm [overflow-wrap:anywhere]">
        A mail with the link is on its way to {email}.
      </p>
    );
  }
  return (
    <div
      role="status"
      className="mt-4 grid gap-2 rounded-lg border border-accent-line bg-accent-soft p-3.5"
    >
      <p className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">Pass this link on to {email} now.</span>{" "}
        <span className="text-muted">It was not mailed, and it cannot be shown again.</span>
      </p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 select-all break-all font-mono text-xs">{link}</code>
        <CopyButton text={link} what="invitation link" wordy />
      </div>
    </div>
  );
}
