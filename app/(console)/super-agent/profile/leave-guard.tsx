"use client";
import { useRouter } from "next/navigation";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useLeaveGuard } from "../../_shared/use-leave-guard";

/** Asks before a link, a reload or a closed tab throws away what was typed. */
export function LeaveGuard({ on }: { on: boolean }) {
  const router = useRouter();
  const { target, stay } = useLeaveGuard(on);
  return (
    <ConfirmDialog
      calm
      open={target !== null}
      onOpenChange={(open) => !open && stay()}
      title="Leave with unsaved changes?"
      action="Leave"
      cancel="Stay"
      busy={false}
      onConfirm={() => {
        stay();
        if (target) router.push(target);
      }}
    >
      What you changed in the profile is not saved, and is gone when you leave.
    </ConfirmDialog>
  );
}
