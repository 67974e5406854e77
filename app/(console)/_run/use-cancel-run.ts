"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { AGENT_RUN_ROUTES, type RunRoutes } from "@/lib/console/run-routes";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

/** Stops the run of this id. */
export function useCancelRun(routes: RunRoutes = AGENT_RUN_ROUTES): UseMutationResult<Run, ConsoleError, string> {
  return useConsoleMutation((runId: string) => requestConsoleJson<Run>(routes.cancel(runId), { method: "POST" }), {
    stale: ["v1/runs"],
    done: "The run is being stopped.",
  });
}
