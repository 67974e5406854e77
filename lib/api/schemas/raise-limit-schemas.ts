import "server-only";
import { z } from "zod";
import { creditsField } from "@/lib/api/schemas/fields";
import { EXAMPLE_RUNNING_RUN } from "@/lib/api/schemas/run-examples";
import { runSchema } from "@/lib/api/schemas/run-schemas";

const limit = creditsField.meta({
  description:
    "The most that this run may cost from now on, in credits; of a super-agent's run with " +
    "all that it has started. More than its limit is.",
});

/** What of a run can be changed while it works. */
export const updateRunBody = z
  .strictObject({ max_credits: limit })
  .meta({ id: "UpdateRunRequest" });
export const updateAppRunBody = z
  .strictObject({ maxCredits: limit })
  .meta({ id: "UpdateAppRunRequest" });

/** The answer of `/v1`. */
export const UPDATED_RUN = [
  {
    status: 200 as const,
    description: "The run. While `requires_action` still says `budget`, it needs more.",
    schema: runSchema,
    examples: { running: EXAMPLE_RUNNING_RUN },
  },
];
