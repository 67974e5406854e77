"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryKey, reads } from "@/lib/console/reads";
import type { Transcript } from "@/lib/console/transcript/transcript";

/** Reads again what a run changes, when it is accepted and when it ends: lists, balance, the run itself. */
export function useStreamEnd(transcript: Transcript): void {
  const client = useQueryClient();
  const { runId, status } = transcript;
  useEffect(() => {
    if (runId === null || status === "pending") return;
    for (const scope of ["/v1/runs", "/v1/super-agent/runs", "/v1/conversations", "/v1/agents", reads.usage] as const)
      void client.invalidateQueries({ queryKey: queryKey(scope) });
  }, [client, runId, status]);
}
