"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Run } from "@/lib/console/shapes/run";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

interface Creation {
  input: string;
  conversationId: string | null;
}

/** Starts to build an agent from a sentence; the answer is the run that builds it. The caller shows a refusal itself. */
export function useStartAgentCreation(onSuccess: (run: Run) => void): UseMutationResult<Run, ConsoleError, Creation> {
  return useConsoleMutation(
    ({ input, conversationId }: Creation) =>
      requestConsoleJson<Run>("v1/agents", {
        method: "POST",
        body: { input, ...(conversationId ? { conversation_id: conversationId } : {}) },
      }),
    { stale: ["v1/runs"], onSuccess, quiet: true },
  );
}
