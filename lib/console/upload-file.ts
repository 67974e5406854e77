import { ConsoleError } from "@/lib/console/console-error";
import type { WorkspaceFile } from "@/lib/console/shapes/workspace-file";

interface Upload {
  workspaceId: string;
  file: File;
  signal: AbortSignal;
  /** From 0 to 1, as bytes leave the browser. */
  onProgress: (share: number) => void;
}

/** Uploads one file under its own name. By XMLHttpRequest, the only one that reports progress. Throws `ConsoleError`. */
export function uploadFile({ workspaceId, file, signal, onProgress }: Upload): Promise<WorkspaceFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append("file", file);
    const offline = () => reject(new ConsoleError("OFFLINE", "The upload was cut off. Nothing was stored.", 0));
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total);
    request.onerror = offline;
    request.onabort = offline;
    request.onload = () => {
      const body = parse(request.responseText);
      if (request.status < 300 && body) return resolve(body as unknown as WorkspaceFile); // the contract's answer
      const message = typeof body?.message === "string" ? body.message : "The file could not be uploaded.";
      reject(new ConsoleError(typeof body?.error === "string" ? body.error : "INTERNAL_ERROR", message, request.status));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", `/api/console/v1/workspaces/${encodeURIComponent(workspaceId)}/files`);
    request.send(form);
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
