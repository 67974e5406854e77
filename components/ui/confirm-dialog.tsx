"use client";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What happens, to whom, and whether it can be undone. */
  children: ReactNode;
  /** The verb, such as “Revoke key”. */
  action: string;
  busy: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, busy, onConfirm }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={children}>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Keep it</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
