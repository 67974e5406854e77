"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Agent } from "@/lib/client/schemas";
import { queryKey, reads } from "@/lib/console/reads";

/** Takes an agent as the service answered it into every place that shows it: at once on its page, and read again in lists. */
export function useAgentSaved(): (agent: Agent) => void {
  const client = useQueryClient();
  return useCallback(
    (agent) => {
      client.setQueryData(queryKey(reads.agent(agent.agent_id)), agent);
      void client.invalidateQueries({ queryKey: queryKey("/v1/agents") });
    },
    [client],
  );
}
