"use client";

import { useRouter } from "next/navigation";
import { useSyncExternalStore } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { AGENT_DRAFTS } from "@/lib/console/agent-edit/use-agent-draft";
import { useLeaveGuard } from "../../../_shared/use-leave-guard";

/** Asks before a link, a reload or a closed tab leaves this agent's unsaved texts behind. */
export function UnsavedGuard({ agentId }: { agentId: string }) {
  const router = useRouter();
  const { target, stay } = useLeaveGuard(useUnsavedFields(agentId).length > 0);
  return (
    <ConfirmDialog
      calm
      open={target !== null}
      onOpenChange={(open) => !open && stay()}
      title="Leave with unsaved changes?"
      action="Leave"
      cancel="Stay"
      loading={false}
      onConfirm={() => {
        stay();
        if (target) router.push(target);
      }}
    >
      They are not stored yet. This browser tab keeps them until it is reloaded or closed: come back to this agent to go on.
    </ConfirmDialog>
  );
}

/** The fields of an agent that hold unsaved text. */
export function useUnsavedFields(agentId: string): string[] {
  const names = useSyncExternalStore(
    AGENT_DRAFTS.subscribe,
    () => AGENT_DRAFTS.names(`${agentId}/`),
    () => "",
  );
  return names === "" ? [] : names.split("\n").map((name) => name.slice(agentId.length + 1));
}

/** On the tab of a text with unsaved changes. */
export function UnsavedMark() {
  return (
    <>
      <span aria-hidden="true" className="ml-1.5 inline-block size-1.5 rounded-full bg-warning align-middle" />
      <span className="sr-only"> (unsaved changes)</span>
    </>
  );
}
