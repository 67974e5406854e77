import "server-only";
import { prefetchConsole } from "@/lib/api/console/prefetch";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { ServiceError } from "@/lib/model/errors";

/** The agent's name, or null when it cannot be read: a run is worth showing without it. */
export async function findAgentName(agentId: string): Promise<string | null> {
  try {
    return (await prefetchConsole<AgentRecord>(consolePaths.agent(agentId))).name;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}
