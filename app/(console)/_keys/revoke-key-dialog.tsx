"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { ApiKey } from "@/lib/console/shapes/api-key";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useFreshKey } from "../_shared/fresh-key";

export function RevokeKeyDialog({ apiKey, open, onClose }: { apiKey: ApiKey; open: boolean; onClose: () => void }) {
  const { apiKey: fresh, remember } = useFreshKey();
  const revoke = useConsoleMutation(
    () => requestConsoleJson<ApiKey>(`keys/${encodeURIComponent(apiKey.key_id)}/revoke`, { method: "POST" }),
    {
      stale: [consolePaths.keys],
      done: `“${apiKey.name}” was revoked.`,
      onSuccess: () => {
        // Code to copy must not carry a key that no longer works.
        if (fresh?.endsWith(apiKey.last_four)) remember(null);
        onClose();
      },
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      action="Revoke key"
      busy={revoke.isPending}
      onConfirm={() => revoke.mutate()}
    >
      Whatever uses the key ending in {apiKey.last_four} is refused within a second. This cannot be undone.
    </ConfirmDialog>
  );
}
