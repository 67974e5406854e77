"use client";

import { useEffect, useState } from "react";
import { AUTONOMY_LABELS } from "@/app/(console)/_shared/autonomy-badge";
import { mergeClasses } from "@/components/merge-classes";
import { Badge, type BadgeTone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { AgentVersion, AgentVersionMetadata } from "@/lib/client/schemas";
import { toEditorText } from "@/lib/console/agent-edit/use-agent-draft";
import { useConsolePages, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { LazyCodeEditor, LazyTextDiff } from "../../../_editor/lazy-editors";
import { QueryProblem } from "../../../_shared/query-problem";

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
              "grid w-full gap-1 px-4 py-2.5 text-left text-sm transition-colors " +
                "hover:bg-hover/60 focus-visible:-outline-offset-2",
              version.number === shown && "bg-accent-soft hover:bg-accent-soft",
            )}
          >
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-medium tabular">Version {version.number}</span>
              <SourceBadge source={version.source} />
              {index === 0 && <Badge tone="success">Current</Badge>}
            </span>
            {version.release_note && (
              <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
                {version.release_note}
              </span>
            )}
            <span className="text-muted text-xs">
              v{version.version} · <RelativeTime time={version.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const LOOKS: Record<
  AgentVersionMetadata["source"],
  { label: string; tone: BadgeTone; title: string }
> = {
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
 * An agent's versions, newest first, as far as they are loaded. With `wanted`, a version's id or
 * that of the run that made one, it loads on until that version and the one before it are there.
 */
export function useVersions(agentId: string, wanted: string | null = null) {
  const query = useConsolePages(reads.agentVersions(agentId));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.data);
  const index =
    wanted === null
      ? 0
      : (rows?.findIndex((row) => row.version_id === wanted || row.run_id === wanted) ?? -1);
  const short =
    rows !== undefined && wanted !== null && (index === -1 || index === rows.length - 1);
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

/** The difference of two versions, fetched. */
export function ComparedVersions({
  agentId,
  before,
  after,
}: {
  agentId: string;
  before: AgentVersionMetadata;
  after: AgentVersionMetadata;
}) {
  const old = useVersion(agentId, before);
  const next = useVersion(agentId, after);
  const failed = old.isError ? old : next.isError ? next : null;
  if (failed?.error)
    return <QueryProblem error={failed.error} retry={() => void failed.refetch()} />;
  if (!old.data || !next.data) return <Skeleton className="m-4 h-72" />;
  return (
    <VersionChanges
      key={`${before.version_id} ${after.version_id}`}
      before={old.data}
      after={next.data}
    />
  );
}

/** One version, fetched. */
export function WholeVersion({
  agentId,
  version,
}: {
  agentId: string;
  version: AgentVersionMetadata;
}) {
  const { data, error, refetch } = useVersion(agentId, version);
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  return data ? (
    <VersionWhole key={version.version_id} version={data} />
  ) : (
    <Skeleton className="m-4 h-72" />
  );
}

function useVersion(agentId: string, { version_id }: AgentVersionMetadata) {
  return useConsoleQuery(reads.agentVersion(agentId, version_id));
}

/** All that a version says. */
function VersionWhole({ version }: { version: AgentVersion }) {
  return (
    <div className="divide-y divide-line">
      <dl className="grid gap-x-6 gap-y-3 p-4 sm:grid-cols-2">
        {VERSION_PARTS.filter(({ kind }) => kind === "line").map((part) => (
          <div key={part.part}>
            <dt className="caption">{part.label}</dt>
            <dd className="mt-0.5 text-sm [overflow-wrap:anywhere]">
              {textOfPart(version, part) || "–"}
            </dd>
          </div>
        ))}
      </dl>
      {VERSION_PARTS.map((part) => {
        if (part.kind === "line") return null;
        const text = textOfPart(version, part);
        return (
          <section key={part.part} aria-label={part.label}>
            <h3 className="px-4 pt-3 font-medium text-sm">{part.label}</h3>
            {text ? (
              <LazyCodeEditor
                value={toEditorText(text)}
                language={part.kind}
                label={`${part.label} of version ${version.number}`}
                readOnly
              />
            ) : (
              <p className="px-4 pt-1 pb-4 text-muted text-sm">
                {part.part === "dashboard_template" ? "It has no dashboard." : "Empty."}
              </p>
            )}
          </section>
        );
      })}
    </div>
  );
}

interface VersionChangesProps {
  before: AgentContent;
  after: AgentContent;
}

/** What one version of an agent says otherwise than another, part by part. */
function VersionChanges({ before, after }: VersionChangesProps) {
  const changed = changedParts(before, after);
  const same = VERSION_PARTS.filter((part) => !changed.includes(part));
  return (
    <div className="divide-y divide-line">
      {changed.map((part) => (
        <PartChange
          key={part.part}
          part={part}
          before={textOfPart(before, part)}
          after={textOfPart(after, part)}
        />
      ))}
      <p className="px-4 py-3 text-muted text-xs">
        {changed.length === 0
          ? "Nothing differs: both say the same."
          : `The same in both: ${listed(same)}.`}
      </p>
    </div>
  );
}

interface PartChangeProps {
  part: VersionPart;
  before: string;
  after: string;
}

function PartChange({ part, before, after }: PartChangeProps) {
  const [whole, setWhole] = useState(false);
  const { label, kind } = part;
  return (
    <section aria-label={`${label} changed`}>
      <div className="flex min-h-10 items-center justify-between gap-3 px-4 pt-1.5">
        <h3 className="font-medium text-sm">{label}</h3>
        {kind !== "line" && (
          <Button
            variant="ghost"
            size="small"
            aria-pressed={whole}
            aria-label={`All lines of ${label}`}
            onClick={() => setWhole(!whole)}
          >
            {whole ? "Only changes" : "All lines"}
          </Button>
        )}
      </div>
      {kind === "line" ? (
        <LineChange before={before} after={after} />
      ) : (
        <LazyTextDiff
          before={toEditorText(before)}
          after={toEditorText(after)}
          language={kind}
          label={`Changes of ${label}`}
          whole={whole}
        />
      )}
    </section>
  );
}

function LineChange({ before, after }: { before: string; after: string }) {
  return (
    <div className="grid gap-1 px-4 pb-3 text-sm [overflow-wrap:anywhere]">
      <del className="rounded-sm bg-danger-soft px-2 py-1 no-underline">
        <span className="sr-only">Before: </span>
        {before || "(empty)"}
      </del>
      <ins className="rounded-sm bg-success-soft px-2 py-1 no-underline">
        <span className="sr-only">After: </span>
        {after || "(empty)"}
      </ins>
    </div>
  );
}

function listed(parts: readonly VersionPart[]): string {
  return parts.map(({ label }) => label.toLowerCase()).join(", ");
}

/** What an agent says: all that versions keep and compare. A config is compared as its text. */
export type AgentContent = Omit<AgentVersion, keyof AgentVersionMetadata | "agent_id" | "config"> &
  Pick<AgentVersion, "version">;

type PartName = keyof AgentContent;
interface PartLook {
  label: string;
  /** `line` ones are a few words, the others whole texts. */
  kind: "line" | "markdown" | "yaml" | "json";
}

/** The sides of an agent that a version keeps, in the order in which they are shown. */
const LOOK_OF_PART: Record<PartName, PartLook> = {
  name: { label: "Name", kind: "line" },
  description: { label: "Description", kind: "line" },
  version: { label: "Version", kind: "line" },
  write_autonomy: { label: "Write autonomy", kind: "line" },
  skill_content: { label: "Skill", kind: "markdown" },
  config_content: { label: "Config", kind: "yaml" },
  dashboard_template: { label: "Dashboard", kind: "json" },
};

interface VersionPart extends PartLook {
  part: PartName;
}

export const VERSION_PARTS: readonly VersionPart[] = Object.entries(LOOK_OF_PART).map(
  ([part, look]) => ({ part: part as PartName, ...look }), // an object of our own
);

/** A part as text to show and to compare; empty where there is nothing. */
export function textOfPart(content: AgentContent, { part }: VersionPart): string {
  if (part === "write_autonomy") return AUTONOMY_LABELS[content.write_autonomy];
  const value = content[part] ?? "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** The parts that say something else in `after` than in `before`. */
export function changedParts(before: AgentContent, after: AgentContent): VersionPart[] {
  return VERSION_PARTS.filter((part) => textOfPart(before, part) !== textOfPart(after, part));
}
