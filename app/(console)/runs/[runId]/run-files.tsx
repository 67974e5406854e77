"use client";

import { Download } from "lucide-react";
import { formatBytes } from "@/components/format/format";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Run } from "@/lib/client/schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { CONSOLE_ADDRESS, reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";

const ACTIVE_MILLISECONDS = 5_000;

/** What the run keeps for its own work; nothing where there is nothing. */
export function RunScratchFiles({ run }: { run: Run }) {
  const { data } = useConsoleQuery(reads.runFiles(run.run_id), {
    refreshEvery: () => (isTerminal(run.status) ? false : ACTIVE_MILLISECONDS),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <Card aria-label="Working files">
      <CardHeader title="Working files" />
      <ScrollRegion label="Working files of the run" className="max-h-80">
        <ul className="divide-y divide-line px-4">
          {data.data.map((file) => (
            <li key={file.path} className="flex items-center gap-2 py-2">
              <span className="min-w-0 flex-1">
                <span
                  className="block truncate font-mono text-xs"
                  title={`${file.path} · ${file.content_type}`}
                >
                  {file.path}
                </span>
                <span className="text-faint text-xs">{formatBytes(file.size_bytes)}</span>
              </span>
              <Button asChild variant="ghost" size="icon-small">
                <a
                  href={CONSOLE_ADDRESS + reads.runFileContent(run.run_id, file.path).url}
                  download={file.path.split("/").at(-1)}
                  aria-label={`Download ${file.path}`}
                >
                  <Download aria-hidden="true" />
                </a>
              </Button>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      {data.has_more && (
        <p className="px-4 pb-3 text-faint text-xs">The newest 100 are shown; the API has all.</p>
      )}
    </Card>
  );
}
