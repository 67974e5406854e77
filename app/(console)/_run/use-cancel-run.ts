"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

/** Stops the run of this id. */
export function useCancelRun(runs: { cancel: (runId: string) => Promise<Run> } = consoleApi.runs): UseMutationResult<Run, Error, string> {
  return useConsoleMutation((runId: string) => runs.cancel(runId), {
    stale: ["/v1/runs"],
    done: "The run is being stopped.",
  });
}
