"use client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import type { Artifact } from "@/lib/model/run/artifact";
import { ArtifactBlock } from "../../_run/artifact-block";

interface RunArtifactsProps {
  runId: string;
  artifacts: readonly Artifact[];
  /** Not while the run is at work: its result would list them again. */
  deletable: boolean;
}

/** The files that the run made, under addresses that are still good. */
export function RunArtifacts({ runId, artifacts, deletable }: RunArtifactsProps) {
  const [doomed, setDoomed] = useState<Artifact | null>(null);
  const remove = useConsoleMutation(
    (artifact: Artifact) => requestConsoleJson<void>(`v1/artifacts/${encodeURIComponent(artifact.id)}`, { method: "DELETE" }),
    { stale: [consolePaths.run(runId)], done: "The file was deleted.", onSuccess: () => setDoomed(null) },
  );
  return (
    <Card aria-label="Files">
      <CardHeader title="Files" />
      <ul className="grid gap-2 p-3">
        {artifacts.map((artifact) => (
          <li key={artifact.id}>
            <ArtifactBlock artifact={artifact}>
              {deletable && (
                <Button look="ghost" size="icon-small" aria-label={`Delete ${artifact.name}`} onClick={() => setDoomed(artifact)}>
                  <Trash2 aria-hidden="true" />
                </Button>
              )}
            </ArtifactBlock>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title="Delete this file?"
        action="Delete file"
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed)}
      >
        <span className="break-all font-mono text-xs">{doomed?.name}</span> is deleted for good. The run stays.
      </ConfirmDialog>
    </Card>
  );
}
