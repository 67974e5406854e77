"use client";

import { useSyncExternalStore } from "react";
import { AGENT_DRAFTS } from "@/lib/console/agent-edit/use-agent-draft";
import { LeaveGuard } from "../../../_shared/leave-guard";

/** Asks before a link, a reload or a closed tab leaves this agent's unsaved texts behind. */
export function UnsavedGuard({ agentId }: { agentId: string }) {
  return (
    <LeaveGuard on={useUnsavedFields(agentId).length > 0}>
      They are not stored yet. This browser tab keeps them until it is reloaded or closed: come back
      to this agent to go on.
    </LeaveGuard>
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
      <span
        aria-hidden="true"
        className="ml-1.5 inline-block size-1.5 rounded-full bg-warning align-middle"
      />
      <span className="sr-only"> (unsaved changes)</span>
    </>
  );
}
