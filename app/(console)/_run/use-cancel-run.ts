"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Stops the run of this id. */
export function useCancelRun(): UseMutationResult<Run, ConsoleError, string> {
  return useConsoleMutation((runId: string) => requestConsoleJson<Run>(`v1/runs/${encodeURIComponent(runId)}/cancel`, { method: "POST" }), {
    stale: ["v1/runs"],
    done: "The run is being stopped.",
  });
}
