"use client";
import { Dialog } from "@/components/ui/dialog";
import type { Secret } from "@/lib/console/shapes/secret";
import { SecretForm } from "./secret-form";

interface SecretDialogProps {
  /** Null adds one. */
  secret: Secret | null;
  open: boolean;
  onClose: () => void;
}

/** Adds a secret, or gives one a new value. Nothing typed outlives the dialog. */
export function SecretDialog({ secret, open, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      holds
      title={secret ? `Replace ${secret.name}` : "Add secret"}
      description={
        secret
          ? "The value cannot be read back, so enter it whole. Runs use the new one from their next call on."
          : "Agents name it in their config, as auth_secret of a connector, and never see the value."
      }
    >
      <SecretForm secret={secret} onClose={onClose} />
    </Dialog>
  );
}
