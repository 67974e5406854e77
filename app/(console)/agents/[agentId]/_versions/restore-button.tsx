"use client";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { offerToast } from "@/components/ui/offer-toast";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { AgentVersionMetadata } from "@/lib/console/shapes/agent-version";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useAgentSaved } from "../_editing/use-agent-saved";

interface RestoreButtonProps {
  agent: AgentRecord;
  version: AgentVersionMetadata;
  onRestored: () => void;
}

/** Makes the agent read as it did in an earlier version. Asks first, and can be undone: that is one more version. */
export function RestoreButton({ agent, version, onRestored }: RestoreButtonProps) {
  const [open, setOpen] = useState(false);
  const take = useAgentSaved();
  const request = (versionId: string) =>
    requestConsoleJson<AgentRecord>(`${consolePaths.agentVersion(agent.agent_id, versionId)}/restore`, { method: "POST" });
  const undo = useConsoleMutation(request, { done: "Undone: the agent is as it was before.", onSuccess: take });
  const restore = useConsoleMutation(request, {
    onSuccess: (restored) => {
      const before = agent.current_version_id;
      setOpen(false);
      take(restored);
      onRestored();
      offerToast(`Version ${version.number} was restored.`, { label: "Undo", onClick: () => undo.mutate(before) });
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <RotateCcw aria-hidden="true" />
        Restore
      </Button>
      <ConfirmDialog
        calm
        open={open}
        onOpenChange={setOpen}
        title={`Restore version ${version.number}?`}
        action="Restore version"
        cancel="Cancel"
        busy={restore.isPending}
        onConfirm={() => restore.mutate(version.version_id)}
      >
        The agent will read as it did then, name and version number included. It is stored as a new version: nothing is lost, and runs that
        are under way are not touched.
      </ConfirmDialog>
    </>
  );
}
