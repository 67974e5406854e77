"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { useChangeAccount } from "./use-change-account";

interface BlockDialogProps {
  account: AdminAccount;
  open: boolean;
  onClose: () => void;
}

export function BlockDialog({ account, open, onClose }: BlockDialogProps) {
  const { email, blocked } = account;
  const change = useChangeAccount(account.account_id, {
    done: blocked ? `${email} is open again.` : `${email} is blocked.`,
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={blocked ? `Unblock ${email}?` : `Block ${email}?`}
      action={blocked ? "Unblock account" : "Block account"}
      cancel="Leave it"
      calm={blocked}
      busy={change.isPending}
      onConfirm={() => change.mutate({ blocked: !blocked })}
    >
      {blocked
        ? "Its keys start runs again at once. Its owner signs in as before."
        : "Its sessions end and it can start no run from now on. Nothing of it is deleted, and you can unblock it at any time."}
    </ConfirmDialog>
  );
}
