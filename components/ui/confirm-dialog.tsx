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
  /** The way out; “Keep it” when left out. */
  cancel?: string;
  /** For what is no loss: a calm button in place of the red one. */
  calm?: boolean;
  loading: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back, or that one should know of first. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  cancel,
  calm,
  loading,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={children}>
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{cancel ?? "Keep it"}</Button>
        <Button variant={calm ? "primary" : "danger"} loading={loading} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
