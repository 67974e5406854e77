"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { toEditorText } from "@/lib/console/agent-edit/line-ends";
import type { AgentContent } from "@/lib/console/shapes/agent-version";
import { changedParts, textOfPart, VERSION_PARTS, type VersionPart } from "@/lib/console/versions/version-parts";
import { LazyTextDiff } from "../../../_editor/lazy-editors";

interface VersionChangesProps {
  before: AgentContent;
  after: AgentContent;
}

/** What one version of an agent says otherwise than another, part by part. */
export function VersionChanges({ before, after }: VersionChangesProps) {
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
          <Button look="ghost" size="small" aria-pressed={whole} aria-label={`All lines of ${label}`} onClick={() => setWhole(!whole)}>
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
