"use client";
import { useMemo } from "react";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

/** The newest hundred agents' names by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = useConsoleQuery(reads.agents({ limit: 100 }));
  return useMemo(() => new Map(data?.data.map((agent) => [agent.agent_id, agent.name])), [data]);
}
