"use client";
import { useMemo } from "react";
import { consolePaths } from "@/lib/console/console-paths";
import type { Agent } from "@/lib/console/shapes/agent";
import type { Page } from "@/lib/console/shapes/page";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** The newest hundred agents' names by id. */
export function useAgentNames(): ReadonlyMap<string, string> {
  const { data } = useConsoleQuery<Page<Agent>>(consolePaths.agents({ limit: 100 }));
  return useMemo(() => new Map(data?.data.map((agent) => [agent.agent_id, agent.name])), [data]);
}
