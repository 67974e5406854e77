import "server-only";
import { cancelChildren } from "@/lib/domain/super-agent/cancel-children";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction } from "@/lib/engine/functions";
import { kindsThat } from "@/lib/model/run/run-status";

/** Kinds whose runs may have started others. */
const LEADING = kindsThat(({ startsRuns }) => startsRuns !== undefined);

/** When a run is cancelled or fails, so are the runs that it has started. */
export const cancelChildrenOfEnded: EngineFunction = {
  id: "cancel-children",
  retries: 4,
  triggers: LEADING.map((value) => ({
    event: "run/ended" as const,
    where: { field: "kind", value },
  })),
  handler: async ({ event, step }) => {
    const { run_id } = eventData("run/ended", event);
    await step.run("cancel", () => cancelChildren(run_id));
  },
};
