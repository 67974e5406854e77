"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import type { Transcript } from "@/lib/console/transcript/transcript";

/** Reads again what a run changes, when it is accepted and when it ends: lists, balance, the run itself. */
export function useStreamEnd(transcript: Transcript): void {
  const client = useQueryClient();
  const { runId, status } = transcript;
  useEffect(() => {
    if (runId === null || status === "pending") return;
    for (const path of ["v1/runs", "v1/super-agent/runs", "v1/conversations", "v1/agents", consolePaths.usage])
      void client.invalidateQueries({ queryKey: queryKey(path) });
  }, [client, runId, status]);
}
