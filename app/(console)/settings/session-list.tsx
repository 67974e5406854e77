"use client";
import { MonitorSmartphone } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { consoleApi } from "@/lib/console/api";
import type { Session } from "@/lib/console/console-schemas";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../_shared/query-problem";

/** Where the person is signed in; each can be ended by itself. */
export function SessionList() {
  const { data, error, refetch } = useConsoleQuery(reads.sessions);
  const endOthers = useConsoleMutation(() => consoleApi.post("/sessions/end-others"), {
    done: "All other sessions have ended.",
    stale: ["/sessions"],
  });
  if (error && !data) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-32 rounded-none" />;
  return (
    <>
      <ul className="divide-y divide-line">
        {data.data.map((session) => (
          <SessionRow key={session.session_id} session={session} />
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2 border-line border-t p-4">
        {data.data.length > 1 && (
          <Button loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )}
        <EndSessionsButton />
      </div>
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const name = describeUserAgent(session.user_agent);
  const end = useConsoleMutation(
    () =>
      consoleApi.post("/sessions/{session_id}/end", {
        params: { path: { session_id: session.session_id } },
      }),
    {
      done: "The session has ended.",
      stale: ["/sessions"],
    },
  );
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm">
      <MonitorSmartphone aria-hidden="true" className="size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate font-medium" title={session.user_agent}>
            {name}
          </span>
          {session.current && <Badge tone="accent">This browser</Badge>}
        </p>
        <p className="mt-0.5 text-faint text-xs [overflow-wrap:anywhere]">
          {session.address} · since <RelativeTime time={session.created_at} /> · seen{" "}
          <RelativeTime time={session.last_seen_at} />
        </p>
      </div>
      {!session.current && (
        <Button
          size="small"
          aria-label={`End the session of ${name}`}
          loading={end.isPending}
          onClick={() => end.mutate()}
        >
          End
        </Button>
      )}
    </li>
  );
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/**
 * What a browser says of itself in a few words, such as “Firefox on Linux”. Others' names stand in
 * it too: the first that fits is the one.
 */
export function describeUserAgent(userAgent: string): string {
  const [, browser = null] = BROWSERS.find(([sign]) => userAgent.includes(sign)) ?? [];
  const [, system = null] = SYSTEMS.find(([sign]) => userAgent.includes(sign)) ?? [];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown browser";
}

/** Signs the person out on every device, this one too. */
function EndSessionsButton() {
  const [asked, setAsked] = useState(false);
  const end = useConsoleMutation(() => consoleApi.post("/sessions/end"), {
    onSuccess: () => window.location.assign("/sign-in"),
  });
  return (
    <>
      <Button onClick={() => setAsked(true)}>Sign out everywhere</Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        loading={end.isPending || end.isSuccess}
        onConfirm={() => end.mutate()}
      >
        Every session of yours ends at once, on every device and in this browser too. API keys and
        runs go on.
      </ConfirmDialog>
    </>
  );
}
