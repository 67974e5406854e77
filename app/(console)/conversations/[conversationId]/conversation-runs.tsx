import Link from "next/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Run } from "@/lib/console/shapes/run";
import { runTitle } from "../../_run/run-title";
import { useAgentNames } from "../../_run/use-agent-names";

interface ConversationRunsProps {
  runs: Run[];
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}

/** The runs that made the conversation, newest first. */
export function ConversationRuns({ runs, hasMore, busy, onMore }: ConversationRunsProps) {
  const names = useAgentNames();
  if (runs.length === 0) return <p className="px-4 py-5 text-faint text-sm">No run of this conversation can be read here.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {runs.map((run) => (
          <li key={run.run_id}>
            <Link
              href={`/runs/${run.run_id}`}
              className="flex min-h-12 items-center gap-3 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{runTitle(run, names)}</span>
                <span className="block truncate text-faint text-xs">
                  <RelativeTime time={run.created_at} />
                </span>
              </span>
              <RunStatusBadge status={run.status} waiting={run.requires_action !== null} />
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && <LoadMore busy={busy} onClick={onMore} />}
    </>
  );
}
