"use client";
import { useMutation } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { type AgentField, type AgentFields, type SaveOutcome, saveAgent } from "@/lib/console/agent-edit/save-agent";
import type { ConsoleError } from "@/lib/console/console-error";
import { consolePaths } from "@/lib/console/console-paths";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { useAgentSaved } from "./_editing/use-agent-saved";
import { DetailsForm, type DetailsValues } from "./details-form";

const FIELDS = ["name", "description", "version", "write_autonomy"] as const satisfies AgentField[];

/** Changes what an agent is called, and how far it may write. */
export function DetailsDialog({ agentId }: { agentId: string }) {
  const { data: agent } = useConsoleQuery<AgentRecord>(consolePaths.agent(agentId));
  /** The agent as it was when the dialog was opened, or as a conflict showed it; null while it is closed. */
  const [base, setBase] = useState<AgentRecord | null>(null);
  const [conflict, setConflict] = useState<AgentField[]>([]);
  const take = useAgentSaved();
  const close = () => {
    setBase(null);
    setConflict([]);
    saving.reset();
  };
  const saving = useMutation<SaveOutcome, ConsoleError, { base: AgentRecord; values: DetailsValues }>({
    mutationFn: ({ base: from, values }) =>
      saveAgent({ agentId, base: from, change: changeOf(from, values), releaseNote: values.release_note }),
    onSuccess: (answer) => {
      take(answer.agent);
      if (answer.outcome === "conflict") {
        setBase(answer.agent);
        return setConflict(answer.fields);
      }
      toast.success("Details saved.");
      close();
    },
  });
  return (
    <>
      <Button look="ghost" size="small" disabled={!agent} onClick={() => setBase(agent ?? null)}>
        <SlidersHorizontal aria-hidden="true" />
        Edit details
      </Button>
      <Dialog
        open={base !== null}
        onOpenChange={(open) => !open && close()}
        title="Details"
        description="What changes is stored as a new version of the agent."
      >
        {base && (
          <DetailsForm
            current={base}
            conflict={conflict}
            busy={saving.isPending}
            error={saving.error?.message}
            onSubmit={(values) => (isChanged(base, values) ? saving.mutate({ base, values }) : close())}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

/** Only what differs: a field that was left alone must not put somebody else's change back. */
function changeOf(base: AgentRecord, values: DetailsValues): Partial<AgentFields> {
  return Object.fromEntries(FIELDS.filter((field) => values[field] !== base[field]).map((field) => [field, values[field]]));
}

function isChanged(base: AgentRecord, values: DetailsValues): boolean {
  return Object.keys(changeOf(base, values)).length > 0;
}
