"use client";
import { mergeClasses } from "@/components/merge-classes";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AgentVersionMetadata } from "@/lib/client/schemas";
import { SourceBadge } from "./source-badge";

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
