"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { formatCount, formatCredits } from "@/components/format/format";
import { Alert } from "@/components/ui/alert";
import { Figure } from "@/components/ui/figure";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";

const ERASING_MILLISECONDS = 2_000;

/** What a person used, and how much there is of them. */
export function EndUserFigures({ name }: { name: string }) {
  const { data, error, refetch } = useConsoleQuery(reads.endUser(name), {
    refreshEvery: (person) => (person?.status === "erasing" ? ERASING_MILLISECONDS : false),
  });
  const router = useRouter();
  const isGone = error !== null && "code" in error && error.code === "END_USER_ERASED";
  useEffect(() => {
    if (isGone) router.refresh();
  }, [isGone, router]);
  if (error && !data) return <QueryProblem error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-24 rounded-lg" />;
  const { usage, counts, max_credits_per_day: limit } = data;
  const kept = [
    ["note", counts.memories],
    ["file", counts.files + counts.artifacts],
  ] as const;
  return (
    <>
      {data.status === "erasing" && (
        <Alert tone="warning" title="This end user is being erased" className="mb-4">
          Their runs at work are cancelled, and nothing new begins for them until all is gone.
        </Alert>
      )}
      <dl
        aria-label="Figures"
        className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4"
      >
        <Figure
          label="Today"
          value={formatCredits(usage.credits_today)}
          note={
            limit === null ? "credits, no limit of their own" : `of ${formatCredits(limit)} credits`
          }
        />
        <Figure label="30 days" value={formatCredits(usage.credits_30_days)} note="credits used" />
        <Figure
          label="Runs"
          value={formatCount(counts.runs)}
          note={
            <>
              last <RelativeTime time={data.last_seen_at} />
            </>
          }
        />
        <Figure
          label="Conversations"
          value={formatCount(counts.conversations)}
          note={kept
            .map(([what, count]) => `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`)
            .join(", ")}
        />
      </dl>
    </>
  );
}
