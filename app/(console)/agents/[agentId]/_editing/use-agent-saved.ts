"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import type { AgentRecord } from "@/lib/console/shapes/agent";

/** Takes an agent as the service answered it into every place that shows it: at once on its page, and read again in lists. */
export function useAgentSaved(): (agent: AgentRecord) => void {
  const client = useQueryClient();
  return useCallback(
    (agent) => {
      client.setQueryData(queryKey(consolePaths.agent(agent.agent_id)), agent);
      void client.invalidateQueries({ queryKey: queryKey("v1/agents") });
    },
    [client],
  );
}
