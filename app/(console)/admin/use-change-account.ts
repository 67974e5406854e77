"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

interface AccountChanges {
  super_agent_access?: boolean;
  blocked?: boolean;
  add_credits?: number;
}

/** Changes another's account as an admin; the list is read again. */
export function useChangeAccount(
  accountId: string,
  options: { quiet?: boolean; done?: string; onSuccess?: () => void } = {},
): UseMutationResult<AdminAccount, ConsoleError, AccountChanges> {
  return useConsoleMutation(
    (body: AccountChanges) => requestConsoleJson<AdminAccount>(consolePaths.adminAccount(accountId), { method: "PATCH", body }),
    { ...options, stale: ["admin/accounts"] },
  );
}
