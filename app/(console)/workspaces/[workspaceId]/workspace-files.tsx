"use client";
import { useQueryClient } from "@tanstack/react-query";
import { Download, Trash2, Upload as UploadIcon, X } from "lucide-react";
import { type DragEvent, useCallback, useEffect, useRef, useState } from "react";
import { formatBytes } from "@/components/format/format";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Progress } from "@/components/ui/progress";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { WorkspaceFile } from "@/lib/client/schemas";
import { consoleApi, messageOf, uploadFile } from "@/lib/console/api";
import { useConsoleMutation, useConsolePages } from "@/lib/console/queries";
import { CONSOLE_ADDRESS, queryKey, reads } from "@/lib/console/reads";
import { QueryProblem } from "../../_shared/query-problem";

/** The workspace's files. Others can be dropped anywhere on them. */
export function WorkspaceFiles({ workspaceId }: { workspaceId: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.workspaceFiles(workspaceId),
  );
  const { uploads, add, dismiss } = useUploads(workspaceId);
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const files = data?.pages.flatMap((page) => page.data);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  return (
    <Card
      aria-label="Files"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) =>
        event.currentTarget.contains(
          event.relatedTarget instanceof Node ? event.relatedTarget : null,
        ) || setOver(false)
      }
      onDrop={drop}
      className={mergeClasses(over && "outline-2 outline-accent outline-dashed -outline-offset-2")}
    >
      <CardHeader title="Files" note="drop some here">
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            add(event.target.files ?? []);
            event.target.value = "";
          }}
        />
        <Button size="small" onClick={() => picker.current?.click()}>
          <UploadIcon aria-hidden="true" />
          Upload files
        </Button>
      </CardHeader>
      <UploadRows uploads={uploads} onDismiss={dismiss} />
      {error && !files && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !files && <Skeleton className="h-40 rounded-none" />}
      {files && files.length > 0 && <FileTable workspaceId={workspaceId} files={files} />}
      {files?.length === 0 && uploads.length === 0 && (
        <EmptyState
          title="No files yet"
          seed="files-2"
          action={<Button onClick={() => picker.current?.click()}>Choose files</Button>}
        >
          Drop files here, up to 100 MB each. Agents read text, tables, PDF, Word, Excel and
          PowerPoint files, and pictures where their model sees.
        </EmptyState>
      )}
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </Card>
  );
}

/** Files on their way, and those that did not make it. */
function UploadRows({
  uploads,
  onDismiss,
}: {
  uploads: Upload[];
  onDismiss: (id: number) => void;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="border-line border-b bg-sunken">
      {uploads.map((upload) => (
        <li key={upload.id} className="flex items-center gap-3 px-4 py-2 text-sm">
          <div className="min-w-0 flex-1">
            <p className="truncate">{upload.name}</p>
            {upload.problem ? (
              <p role="alert" className="text-danger text-xs">
                {upload.problem}
              </p>
            ) : (
              <div className="mt-1.5">
                <Progress label={`Upload of ${upload.name}`} share={upload.share} />
              </div>
            )}
          </div>
          <Button
            variant="ghost"
            size="icon-small"
            aria-label={
              upload.problem ? `Put away ${upload.name}` : `Stop upload of ${upload.name}`
            }
            onClick={() => (upload.problem ? onDismiss(upload.id) : upload.cancel())}
          >
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function FileTable({ workspaceId, files }: { workspaceId: string; files: WorkspaceFile[] }) {
  const [doomed, setDoomed] = useState<WorkspaceFile | null>(null);
  const remove = useConsoleMutation(
    (file: WorkspaceFile) =>
      consoleApi.delete("/v1/workspaces/{workspace_id}/files/{file_id}", {
        params: { path: { workspace_id: workspaceId, file_id: file.file_id } },
      }),
    {
      stale: [`/v1/workspaces/${workspaceId}/files`],
      done: "The file was deleted.",
      onSuccess: () => setDoomed(null),
    },
  );
  return (
    <>
      <Table label="File list">
        <thead>
          <tr>
            <TableHead>Path</TableHead>
            <TableHead className="text-right max-sm:hidden">Size</TableHead>
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
                <span
                  className="block font-mono text-xs max-sm:break-all sm:truncate"
                  title={`${file.path} · ${file.content_type}`}
                >
                  {file.path}
                </span>
                <span className="text-faint text-xs sm:hidden">
                  {formatBytes(file.size_bytes)} · <RelativeTime time={file.created_at} />
                </span>
              </TableCell>
              <TableCell className="whitespace-nowrap text-right text-muted tabular max-sm:hidden">
                {formatBytes(file.size_bytes)}
              </TableCell>
              <TableCell className="text-faint text-xs max-sm:hidden">
                <RelativeTime time={file.created_at} />
              </TableCell>
              <TableCell className="whitespace-nowrap pr-2.5 text-right">
                <Button asChild variant="ghost" size="icon-small">
                  <a
                    href={
                      CONSOLE_ADDRESS + reads.workspaceFileContent(workspaceId, file.file_id).url
                    }
                    download={file.name}
                    aria-label={`Download ${file.name}`}
                  >
                    <Download aria-hidden="true" />
                  </a>
                </Button>
                <Button
                  variant="ghost"
                  size="icon-small"
                  aria-label={`Delete ${file.name}`}
                  onClick={() => setDoomed(file)}
                >
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
        loading={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed)}
      >
        <span className="break-all font-mono text-xs">{doomed?.path}</span> is deleted for good.
      </ConfirmDialog>
    </>
  );
}

interface Upload {
  id: number;
  name: string;
  share: number;
  /** Why it failed, when it did. */
  problem: string | null;
  cancel: () => void;
}

const PARALLEL_MAX = 3;

/**
 * Uploads files a few at a time. One that is done leaves the list; one that failed stays until it
 * is put away.
 */
function useUploads(workspaceId: string): {
  uploads: Upload[];
  add: (files: Iterable<File>) => void;
  dismiss: (id: number) => void;
} {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const client = useQueryClient();
  const queue = useRef<(() => Promise<void>)[]>([]);
  const running = useRef(0);
  const nextId = useRef(0);
  const controllers = useRef(new Set<AbortController>());
  useEffect(() => {
    const all = controllers.current;
    return () => {
      for (const controller of all) controller.abort();
    };
  }, []);

  const dismiss = useCallback(
    (id: number) => setUploads((list) => list.filter((upload) => upload.id !== id)),
    [],
  );

  const pump = useCallback(() => {
    while (running.current < PARALLEL_MAX) {
      const next = queue.current.shift();
      if (!next) return;
      running.current += 1;
      void next().finally(() => {
        running.current -= 1;
        pump();
      });
    }
  }, []);

  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        const id = nextId.current++;
        const controller = new AbortController();
        controllers.current.add(controller);
        const change = (part: Partial<Upload>) =>
          setUploads((list) =>
            list.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)),
          );
        setUploads((list) => [
          ...list,
          { id, name: file.name, share: 0, problem: null, cancel: () => controller.abort() },
        ]);
        queue.current.push(async () => {
          try {
            controller.signal.throwIfAborted();
            await uploadFile(
              "/v1/workspaces/{workspace_id}/files",
              { path: { workspace_id: workspaceId } },
              { file, signal: controller.signal, onProgress: (share) => change({ share }) },
            );
            await client.invalidateQueries({
              queryKey: queryKey(`/v1/workspaces/${workspaceId}/files`),
            });
            dismiss(id);
          } catch (error) {
            if (controller.signal.aborted) dismiss(id);
            else
              change({
                problem:
                  error instanceof Error ? messageOf(error) : "The file could not be uploaded.",
              });
          } finally {
            controllers.current.delete(controller);
          }
        });
      }
      pump();
    },
    [client, dismiss, pump, workspaceId],
  );
  return { uploads, add, dismiss };
}
