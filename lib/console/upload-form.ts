import { ConsoleError } from "@/lib/console/console-error";
import type { ErrorDetail } from "@/lib/model/errors";

interface FormUpload {
  /** Below `/api/console/`. */
  path: string;
  /** Sent as the form's field `file`. */
  file: File;
  signal: AbortSignal;
  /** From 0 to 1, as bytes leave the browser. */
  onProgress: (share: number) => void;
}

/** Posts one file as a form. By XMLHttpRequest, the only one that reports progress. Throws `ConsoleError`. */
export function uploadForm<Answer>({ path, file, signal, onProgress }: FormUpload): Promise<Answer> {
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
      if (request.status < 300 && body) return resolve(body as Answer); // the contract's answer
      const message = typeof body?.message === "string" ? body.message : "The file could not be uploaded.";
      const code = typeof body?.error === "string" ? body.error : "INTERNAL_ERROR";
      // Every error of the service has its details in this shape.
      const details = Array.isArray(body?.details) ? (body.details as ErrorDetail[]) : [];
      reject(new ConsoleError(code, message, request.status, details));
    };
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", `/api/console/${path}`);
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
