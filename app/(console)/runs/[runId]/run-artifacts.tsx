import { Card, CardHeader } from "@/components/ui/card";
import type { Artifact } from "@/lib/model/run/artifact";
import { ArtifactBlock } from "../../_run/artifact-block";

/** The files that the run made, under addresses that are still good. */
export function RunArtifacts({ artifacts }: { artifacts: readonly Artifact[] }) {
  return (
    <Card aria-label="Files">
      <CardHeader title="Files" />
      <ul className="grid gap-2 p-3">
        {artifacts.map((artifact) => (
          <li key={artifact.id}>
            <ArtifactBlock artifact={artifact} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
