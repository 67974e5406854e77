"use client";
import { X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import type { Upload } from "./use-uploads";

/** Files on their way, and those that did not make it. */
export function UploadRows({ uploads, onDismiss }: { uploads: Upload[]; onDismiss: (id: number) => void }) {
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
            look="ghost"
            size="icon-small"
            aria-label={upload.problem ? `Put away ${upload.name}` : `Stop upload of ${upload.name}`}
            onClick={() => (upload.problem ? onDismiss(upload.id) : upload.cancel())}
          >
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
