"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { Run } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";

interface Creation {
  input: string;
  conversationId: string | null;
}

/** Starts to build an agent from a sentence; the answer is the run that builds it. The caller shows a refusal itself. */
export function useStartAgentCreation(onSuccess: (run: Run) => void): UseMutationResult<Run, Error, Creation> {
  return useConsoleMutation(
    ({ input, conversationId }: Creation) =>
      consoleApi.post("/v1/agents", { body: { input, ...(conversationId ? { conversation_id: conversationId } : {}) } }),
    { stale: ["/v1/runs"], onSuccess, quiet: true },
  );
}
