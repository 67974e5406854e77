import { consolePaths } from "@/lib/console/console-paths";

/** What the overview reads of longer lists. */
export const overviewPaths = {
  agents: consolePaths.agents({ limit: 6 }),
  runs: consolePaths.runs({ limit: 50 }),
};
