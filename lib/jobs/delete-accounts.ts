import "server-only";
import { deleteMarkedAccounts } from "@/lib/domain/deletion/delete-account";
import { inngest } from "@/lib/engine/client";

/**
 * Deletes the accounts that are marked for it: when one was marked, and each minute for what a
 * crash or a step that still worked left over.
 */
export const deleteAccounts = inngest.createFunction(
  {
    id: "delete-accounts",
    retries: 0,
    concurrency: 1,
    triggers: [{ event: "account/deletion-requested" }, { cron: "* * * * *" }],
  },
  async ({ step }) => {
    await step.run("delete", () => deleteMarkedAccounts());
  },
);
