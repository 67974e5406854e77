"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import { uploadFile } from "@/lib/console/upload-file";

export interface Upload {
  id: number;
  name: string;
  share: number;
  /** Why it failed, when it did. */
  problem: string | null;
  cancel: () => void;
}

const PARALLEL_MAX = 3;

/** Uploads files a few at a time. One that is done leaves the list; one that failed stays until it is put away. */
export function useUploads(workspaceId: string): {
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

  const dismiss = useCallback((id: number) => setUploads((list) => list.filter((upload) => upload.id !== id)), []);

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
          setUploads((list) => list.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));
        setUploads((list) => [...list, { id, name: file.name, share: 0, problem: null, cancel: () => controller.abort() }]);
        queue.current.push(async () => {
          try {
            controller.signal.throwIfAborted();
            await uploadFile({ workspaceId, file, signal: controller.signal, onProgress: (share) => change({ share }) });
            await client.invalidateQueries({ queryKey: queryKey(consolePaths.workspaceFiles(workspaceId)).slice(0, 4) });
            dismiss(id);
          } catch (error) {
            if (controller.signal.aborted) dismiss(id);
            else change({ problem: error instanceof Error ? error.message : "The file could not be uploaded." });
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
