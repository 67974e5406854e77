import "server-only";
import { SWEEPS, sweepByName, sweepKept } from "@/lib/domain/retention/sweep-kept";
import type { EngineFunction } from "@/lib/engine/functions";

/** Of each hour, for each kind of row: what is left then goes in the next. */
const LIMIT_MS = 60_000;

/** Each hour: removes what has been kept as long as the operator's settings say. */
export const retain: EngineFunction = {
  id: "retain",
  retries: 0,
  limits: [{ limit: 1 }],
  triggers: [{ cron: "23 * * * *" }],
  handler: async ({ step }) => {
    for (const { name } of SWEEPS)
      await step.run(`sweep-${name}`, () => sweepKept(sweepByName(name), LIMIT_MS));
  },
};
