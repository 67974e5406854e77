"use client";
import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { WorkspaceFile } from "@/lib/console/shapes/workspace-file";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../../_shared/query-problem";
import { FileTable } from "./file-table";
import { UploadRows } from "./upload-rows";
import { useUploads } from "./use-uploads";

/** The workspace's files. Others can be dropped anywhere on them. */
export function WorkspaceFiles({ workspaceId }: { workspaceId: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<WorkspaceFile>(
    consolePaths.workspaceFiles(workspaceId),
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
        event.currentTarget.contains(event.relatedTarget instanceof Node ? event.relatedTarget : null) || setOver(false)
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
        <EmptyState title="No files yet" seed="files-2" action={<Button onClick={() => picker.current?.click()}>Choose files</Button>}>
          Drop files here, up to 100 MB each. Agents read text, CSV and JSON best.
        </EmptyState>
      )}
      {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
    </Card>
  );
}
