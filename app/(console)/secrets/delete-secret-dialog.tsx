"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Secret, SecretUse } from "@/lib/console/shapes/secret";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";

interface DeleteSecretDialogProps {
  secret: Secret;
  uses: SecretUse[];
  open: boolean;
  onClose: () => void;
}

export function DeleteSecretDialog({ secret, uses, open, onClose }: DeleteSecretDialogProps) {
  const remove = useConsoleMutation(() => requestConsoleJson<void>(consolePaths.secret(secret.name), { method: "DELETE" }), {
    stale: ["v1/secrets"],
    done: `${secret.name} was deleted.`,
    onSuccess: onClose,
  });
  const users = uses.length === 1 ? "1 agent names it, and its calls" : `${uses.length} agents name it, and their calls`;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Delete ${secret.name}?`}
      action="Delete secret"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      {uses.length > 0 ? `${users} fail from now on.` : "No active agent names it."} The value is gone for good.
    </ConfirmDialog>
  );
}
