import "server-only";
import { deleteMarkedAccounts } from "@/lib/domain/deletion/delete-account";
import type { EngineFunction } from "@/lib/engine/functions";

/**
 * Deletes the accounts that are marked for it: when one was marked, and each minute for what a
 * crash or a step that still worked left over.
 */
export const deleteAccounts: EngineFunction = {
  id: "delete-accounts",
  retries: 0,
  limits: [{ limit: 1 }],
  triggers: [{ event: "account/deletion-requested" }, { cron: "* * * * *" }],
  handler: async ({ step }) => {
    await step.run("delete", () => deleteMarkedAccounts());
  },
};
