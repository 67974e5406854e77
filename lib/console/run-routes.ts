import { consolePaths } from "@/lib/console/console-paths";

/** Where runs of a kind are started, followed and stopped, as paths below `/api/console/`. */
export interface RunRoutes {
  realtime: string;
  run: (runId: string) => string;
  events: (runId: string, startingAfter: number) => string;
  cancel: (runId: string) => string;
  /** The console's page of such a run; null where it has none. */
  page: ((runId: string) => string) | null;
}

export const AGENT_RUN_ROUTES: RunRoutes = {
  realtime: "v1/realtime/runs",
  run: consolePaths.run,
  events: consolePaths.runEvents,
  cancel: (runId) => `v1/runs/${encodeURIComponent(runId)}/cancel`,
  page: (runId) => `/runs/${runId}`,
};

const superAgentRun = (runId: string) => `v1/super-agent/runs/${encodeURIComponent(runId)}`;

/** The super-agent's runs live on routes of their own; the others answer as if there were none. */
export const SUPER_AGENT_RUN_ROUTES: RunRoutes = {
  realtime: "v1/super-agent/realtime/runs",
  run: superAgentRun,
  events: (runId, startingAfter) => `${superAgentRun(runId)}/events?starting_after=${startingAfter}`,
  cancel: (runId) => `${superAgentRun(runId)}/cancel`,
  page: null,
};
