import { reads } from "@/lib/console/reads";

/** What the overview reads of longer lists. */
export const overviewPaths = {
  agents: reads.agents({ limit: 6 }),
  runs: reads.runs({ limit: 50 }),
};
