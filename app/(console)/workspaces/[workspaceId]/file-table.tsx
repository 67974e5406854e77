"use client";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "@/components/format/format-bytes";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { WorkspaceFile } from "@/lib/console/shapes/workspace-file";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

export function FileTable({ workspaceId, files }: { workspaceId: string; files: WorkspaceFile[] }) {
  const [doomed, setDoomed] = useState<WorkspaceFile | null>(null);
  const remove = useConsoleMutation(
    (file: WorkspaceFile) =>
      requestConsoleJson<void>(`${consolePaths.workspace(workspaceId)}/files/${encodeURIComponent(file.file_id)}`, { method: "DELETE" }),
    { stale: [`${consolePaths.workspace(workspaceId)}/files`], done: "The file was deleted.", onSuccess: () => setDoomed(null) },
  );
  return (
    <>
      <Table label="File list">
        <thead>
          <tr>
            <TableHead>Path</TableHead>
            <TableHead className="text-right">Size</TableHead>
            <TableHead className="max-sm:hidden">Added</TableHead>
            <TableHead>
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <TableRow key={file.file_id}>
              <TableCell className="max-w-0 w-full">
                <span className="block truncate font-mono text-xs" title={`${file.path} · ${file.content_type}`}>
                  {file.path}
                </span>
              </TableCell>
              <TableCell className="whitespace-nowrap text-right text-muted tabular">{formatBytes(file.size_bytes)}</TableCell>
              <TableCell className="text-faint text-xs max-sm:hidden">
                <RelativeTime time={file.created_at} />
              </TableCell>
              <TableCell className="whitespace-nowrap pr-2.5 text-right">
                <Button asChild look="ghost" size="icon-small">
                  <a
                    href={`/api/console/${consolePaths.workspaceFileContent(workspaceId, file.file_id)}`}
                    download={file.name}
                    aria-label={`Download ${file.name}`}
                  >
                    <Download aria-hidden="true" />
                  </a>
                </Button>
                <Button look="ghost" size="icon-small" aria-label={`Delete ${file.name}`} onClick={() => setDoomed(file)}>
                  <Trash2 aria-hidden="true" />
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title="Delete this file?"
        action="Delete file"
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed)}
      >
        <span className="break-all font-mono text-xs">{doomed?.path}</span> is deleted for good.
      </ConfirmDialog>
    </>
  );
}
