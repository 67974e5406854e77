"use client";

import { useEffect } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AgentVersionMetadata } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

interface VersionListProps {
  versions: AgentVersionMetadata[];
  /** The number of the version that is in view. */
  shown: number | null;
  onPick: (version: AgentVersionMetadata) => void;
}

export function VersionList({ versions, shown, onPick }: VersionListProps) {
  return (
    <ul className="divide-y divide-line">
      {versions.map((version, index) => (
        <li key={version.version_id}>
          <button
            type="button"
            aria-current={version.number === shown ? "true" : undefined}
            onClick={() => onPick(version)}
            className={mergeClasses(
              "grid w-full gap-1 px-4 py-2.5 text-left text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2",
              version.number === shown && "bg-accent-soft hover:bg-accent-soft",
            )}
          >
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium tabular">Version {version.number}</span>
              <SourceBadge source={version.source} />
              {index === 0 && <Badge tone="success">Current</Badge>}
            </span>
            {version.release_note && <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{version.release_note}</span>}
            <span className="text-muted text-xs">
              v{version.version} · <RelativeTime time={version.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const LOOKS: Record<AgentVersionMetadata["source"], { label: string; tone: BadgeTone; title: string }> = {
  create: { label: "Created", tone: "success", title: "The agent as it was made" },
  patch: { label: "Changed", tone: "neutral", title: "A change of its fields, here or by the API" },
  edit: { label: "Edited in words", tone: "accent", title: "An edit in words" },
  restore: { label: "Restored", tone: "warning", title: "An earlier version, brought back" },
};

/** Where a version came from. */
export function SourceBadge({ source }: { source: AgentVersionMetadata["source"] }) {
  const look = LOOKS[source];
  return (
    <Badge tone={look.tone} title={look.title}>
      {look.label}
    </Badge>
  );
}

/**
 * An agent's versions, newest first, as far as they are loaded. With `wanted`, a version's id or that of the run that made one, it loads on until that
 * version and the one before it are there.
 */
export function useVersions(agentId: string, wanted: string | null = null) {
  const query = useConsolePages(reads.agentVersions(agentId));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data);
  const index = wanted === null ? 0 : (rows?.findIndex((row) => row.version_id === wanted || row.run_id === wanted) ?? -1);
  const short = rows !== undefined && wanted !== null && (index === -1 || index === rows.length - 1);
  const loadOn = short && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (loadOn) void fetchNextPage();
  }, [loadOn, fetchNextPage]);
  return {
    ...query,
    rows,
    /** Null when there is none, or not yet. */
    found: rows?.[index] ?? null,
    /** The version that `found` followed. */
    previous: (index >= 0 && rows?.[index + 1]) || null,
    looking: rows === undefined ? !isError : index === -1 && (isFetching || loadOn),
  };
}
