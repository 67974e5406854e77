import { Download, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import type { Artifact } from "@/lib/model/run/run-result";

/**
 * A file that the run made; `children` stand behind what downloads it. Where there is little room
 * around it, its button has no words.
 */
export function ArtifactBlock({
  artifact,
  children,
}: {
  artifact: Artifact;
  children?: ReactNode;
}) {
  return (
    <div className="@container rounded-lg border border-line bg-surface">
      <div className="flex items-center gap-3 px-3.5 py-2.5">
        <FileText aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium text-sm">{artifact.title || artifact.name}</p>
          <p className="truncate text-faint text-xs">
            {artifact.name} · {formatBytes(artifact.size_bytes)}
          </p>
        </div>
        <Button asChild size="small">
          <a
            href={toOwnAddress(artifact.url)}
            download={artifact.name}
            aria-label={`Download ${artifact.name}`}
          >
            <Download aria-hidden="true" />
            <span className="@sm:inline hidden">Download</span>
          </a>
        </Button>
        {children}
      </div>
    </div>
  );
}

/** The signed address on this very site, whatever host the API names itself by. */
function toOwnAddress(url: string): string {
  if (!URL.canParse(url)) return url.startsWith("/") ? url : "#";
  const parsed = new URL(url);
  return ["http:", "https:"].includes(parsed.protocol) &&
    parsed.pathname.startsWith("/api/artifacts/")
    ? parsed.pathname + parsed.search
    : "#";
}
