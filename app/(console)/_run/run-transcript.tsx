"use client";
import { Skeleton } from "@/components/ui/skeleton";
import type { FollowState } from "@/lib/console/follow-run";
import type { Transcript } from "@/lib/console/transcript/transcript";
import { BlockView } from "./block-view";
import { RunErrorNotice } from "./run-error-notice";

/** The timeline of a run, as far as it has come. */
export function RunTranscript({ transcript, state }: { transcript: Transcript; state: FollowState | null }) {
  const { blocks, error } = transcript;
  const waits = blocks.length === 0 && state !== "ended" && !error;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 [&>.tool+.tool]:-mt-2.5" aria-busy={state !== "ended"}>
      {waits && <TranscriptSkeleton />}
      {blocks.map((block) => (
        <BlockView key={`${block.kind}-${block.id}`} block={block} />
      ))}
      {state === "reconnecting" && <p className="text-warning text-xs">The connection broke off. The run goes on; reconnecting…</p>}
      {error && <RunErrorNotice code={error.code} message={error.message} />}
    </div>
  );
}

function TranscriptSkeleton() {
  return (
    <div role="status" aria-label="Waiting for the first event" className="grid gap-2.5">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-4 w-full max-w-lg" />
      <Skeleton className="h-4 w-full max-w-md" />
    </div>
  );
}
