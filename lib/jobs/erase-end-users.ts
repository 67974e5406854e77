import "server-only";
import { eraseMarkedEndUsers } from "@/lib/domain/deletion/erase-end-user";
import type { EngineFunction } from "@/lib/engine/functions";

/** Of each person in a step; what is left goes in the next. */
const LIMIT_MS = 20_000;
const PAUSE_MS = 1_000;
const STEPS = 50;

/**
 * Erases the people who are marked for it: when one was marked, and each minute for what a crash or
 * a step that still worked left over.
 */
export const eraseEndUsers: EngineFunction = {
  id: "erase-end-users",
  retries: 0,
  limits: [{ limit: 1 }],
  triggers: [{ event: "end-user/erasure-requested" }, { cron: "* * * * *" }],
  handler: async ({ step }) => {
    for (let number = 0; number < STEPS; number++) {
      if (await step.run(`erase-${number}`, () => eraseMarkedEndUsers(LIMIT_MS))) return;
      await step.sleep(`pause-${number}`, PAUSE_MS);
    }
  },
};
