"use client";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { findArtifacts } from "@/lib/console/dashboard/find-artifacts";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { ArtifactBlock } from "../../../_run/artifact-block";
import { Found } from "./found";
import type { WidgetOf } from "./widget-of";

const DEFAULT_ROWS = 10;

interface ArtifactsWidgetProps {
  widget: WidgetOf<"artifacts">;
  source: Finding<JsonValue>;
  title: string;
}

/** Files of a run, to download. */
export function ArtifactsWidget({ widget, source, title }: ArtifactsWidgetProps) {
  return (
    <Found finding={findArtifacts(source, widget.limit ?? DEFAULT_ROWS)}>
      {(artifacts) => (
        <ScrollRegion label={`Content of ${title}`} className="max-md:max-h-96 md:absolute md:inset-0">
          <ul className="grid gap-2 p-3">
            {artifacts.map((artifact) => (
              <li key={artifact.id}>
                <ArtifactBlock artifact={artifact} />
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </Found>
  );
}
