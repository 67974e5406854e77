"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { AgentVersion, AgentVersionMetadata } from "@/lib/client/schemas";
import { toEditorText } from "@/lib/console/agent-edit/use-agent-draft";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { AgentContent } from "@/lib/console/versions/version-parts";
import { changedParts, textOfPart, VERSION_PARTS, type VersionPart } from "@/lib/console/versions/version-parts";
import { LazyCodeEditor, LazyTextDiff } from "../../../_editor/lazy-editors";
import { QueryProblem } from "../../../_shared/query-problem";

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
  if (failed?.error) return <QueryProblem error={failed.error} retry={() => void failed.refetch()} />;
  if (!old.data || !next.data) return <Skeleton className="m-4 h-72" />;
  return <VersionChanges key={`${before.version_id} ${after.version_id}`} before={old.data} after={next.data} />;
}

/** One version, fetched. */
export function WholeVersion({ agentId, version }: { agentId: string; version: AgentVersionMetadata }) {
  const { data, error, refetch } = useVersion(agentId, version);
  if (error) return <QueryProblem error={error} retry={() => void refetch()} />;
  return data ? <VersionWhole key={version.version_id} version={data} /> : <Skeleton className="m-4 h-72" />;
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
            <dd className="mt-0.5 text-sm [overflow-wrap:anywhere]">{textOfPart(version, part) || "–"}</dd>
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
              <p className="px-4 pt-1 pb-4 text-muted text-sm">{part.part === "dashboard_template" ? "It has no dashboard." : "Empty."}</p>
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
        <PartChange key={part.part} part={part} before={textOfPart(before, part)} after={textOfPart(after, part)} />
      ))}
      <p className="px-4 py-3 text-muted text-xs">
        {changed.length === 0 ? "Nothing differs: both say the same." : `The same in both: ${listed(same)}.`}
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
          <Button variant="ghost" size="small" aria-pressed={whole} aria-label={`All lines of ${label}`} onClick={() => setWhole(!whole)}>
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
