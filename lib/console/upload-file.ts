import type { WorkspaceFile } from "@/lib/console/shapes/workspace-file";
import { uploadForm } from "@/lib/console/upload-form";

interface Upload {
  workspaceId: string;
  file: File;
  signal: AbortSignal;
  /** From 0 to 1, as bytes leave the browser. */
  onProgress: (share: number) => void;
}

/** Uploads one file under its own name. Throws `ConsoleError`. */
export function uploadFile({ workspaceId, ...upload }: Upload): Promise<WorkspaceFile> {
  return uploadForm<WorkspaceFile>({ path: `v1/workspaces/${encodeURIComponent(workspaceId)}/files`, ...upload });
}
