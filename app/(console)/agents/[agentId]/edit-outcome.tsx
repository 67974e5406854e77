"use client";
import { Card, CardHeader } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { useVersions } from "./_versions/use-versions";
import { ComparedVersions } from "./_versions/version-views";

/** What a successful edit changed: the version that it made beside the one before. */
export function EditOutcome({ agentId, runId }: { agentId: string; runId: string }) {
  const { found, previous, looking } = useVersions(agentId, runId);
  if (looking) return <Skeleton className="h-40 rounded-lg" />;
  if (!found || !previous) return null;
  return (
    <Card aria-label="What the edit changed">
      <CardHeader title="What changed" note={`version ${previous.number} to ${found.number}`} />
      <ComparedVersions agentId={agentId} before={previous} after={found} />
    </Card>
  );
}
