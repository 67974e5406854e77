import Link from "next/link";
import { AgentGlyph } from "@/components/brand/agent-glyph";
import { formatCredits } from "@/components/format/format-credits";
import { formatDuration } from "@/components/format/format-duration";
import { shortenId } from "@/components/format/shorten-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import type { Run } from "@/lib/client/schemas";
import { runTitle } from "./run-title";

/** Runs, a line each, which lead to their pages. `agentNames` maps ids to names. */
export function RunRows({ runs, agentNames }: { runs: Run[]; agentNames: ReadonlyMap<string, string> }) {
  return (
    <ul className="divide-y divide-line">
      {runs.map((run) => (
        <li key={run.run_id}>
          <RunRow run={run} title={runTitle(run, agentNames)} />
        </li>
      ))}
    </ul>
  );
}

function RunRow({ run, title }: { run: Run; title: string }) {
  return (
    <Link
      href={`/runs/${run.run_id}`}
      className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_8.5rem_5rem_4.5rem_5.5rem]"
    >
      <span className="flex min-w-0 items-center gap-2.5">
        <AgentGlyph agentId={run.agent_id ?? run.run_id} className="size-6 rounded-sm max-sm:hidden" />
        <span className="min-w-0">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate font-mono text-2xs text-faint" title={run.run_id}>
            {shortenId(run.run_id)}
            <span className="font-sans text-xs sm:hidden">
              {" · "}
              <RelativeTime time={run.created_at} />
            </span>
          </span>
        </span>
      </span>
      <span className="justify-self-end sm:justify-self-start">
        <RunStatusBadge status={run.status} waiting={run.requires_action !== null} />
      </span>
      <span className="hidden text-right text-muted tabular sm:block">
        {run.started_at && run.completed_at ? formatDuration(Date.parse(run.completed_at) - Date.parse(run.started_at)) : "–"}
      </span>
      <span className="hidden text-right text-muted tabular sm:block">{run.usage ? formatCredits(run.usage.credits) : "–"}</span>
      <span className="hidden text-right text-faint text-xs sm:block">
        <RelativeTime time={run.created_at} />
      </span>
    </Link>
  );
}

/** The captions over `RunRows`. */
export function RunRowsHead() {
  return (
    <div
      aria-hidden="true"
      className="hidden h-9 grid-cols-[minmax(0,1fr)_8.5rem_5rem_4.5rem_5.5rem] items-center gap-x-4 border-line border-b px-4 sm:grid"
    >
      <span className="caption">Run</span>
      <span className="caption">Status</span>
      <span className="caption text-right">Time</span>
      <span className="caption text-right">Credits</span>
      <span className="caption text-right">Started</span>
    </div>
  );
}
