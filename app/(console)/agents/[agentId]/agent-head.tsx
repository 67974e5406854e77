"use client";
import { useMutation } from "@tanstack/react-query";
import { Archive, Copy, Download, Ellipsis, PencilLine, SlidersHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { IdChip } from "@/components/ui/id-chip";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import type { Agent } from "@/lib/client/schemas";
import {
  type AgentField,
  type AgentFields,
  type SaveOutcome,
  saveAgent,
} from "@/lib/console/agent-edit/save-agent";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { CONSOLE_ADDRESS, reads } from "@/lib/console/reads";
import { AutonomyBadge } from "../../_shared/autonomy-badge";
import { useAgentSaved } from "./_editing/use-text-editing";
import { DetailsForm, type DetailsValues, EditDialog } from "./edit-dialogs";

/**
 * The head of an agent's page, from the record that its tabs read. It follows an edit without a
 * refresh of the page: one of those that meets a change of the address ends in the whole page being
 * loaded anew, and unsaved texts with it.
 */
export function AgentHead({ agentId }: { agentId: string }) {
  const { data: agent } = useConsoleQuery(reads.agent(agentId));
  if (!agent) return null;
  const archived = agent.status === "archived";
  return (
    <>
      <PageHeader
        back={{ href: "/agents", label: "Agents" }}
        title={
          <span className="flex min-w-0 items-start gap-3">
            <AgentGlyph agentId={agent.agent_id} className="size-9" />
            <span className="min-w-0 pt-0.5">{agent.name}</span>
          </span>
        }
        description={agent.description}
      >
        <AgentActions agentId={agent.agent_id} name={agent.name} archived={archived} />
      </PageHeader>
      <div className="-mt-2 mb-6 flex flex-wrap items-center gap-2">
        <Badge>v{agent.version}</Badge>
        <AutonomyBadge autonomy={agent.write_autonomy} />
        {archived && <Badge tone="warning">Archived</Badge>}
        <IdChip id={agent.agent_id} what="agent id" />
        {!archived && <DetailsDialog agentId={agent.agent_id} />}
      </div>
      {archived && (
        <Alert tone="warning" title="This agent is archived" className="mb-6">
          It can no longer be run or changed. Its runs stay readable; duplicate it to go on from
          where it stood.
        </Alert>
      )}
    </>
  );
}

const FIELDS = ["name", "description", "version", "write_autonomy"] as const satisfies AgentField[];

/** Changes what an agent is called, and how far it may write. */
function DetailsDialog({ agentId }: { agentId: string }) {
  const { data: agent } = useConsoleQuery(reads.agent(agentId));
  /**
   * The agent as it was when the dialog was opened, or as a conflict showed it; null while it is
   * closed.
   */
  const [base, setBase] = useState<Agent | null>(null);
  const [conflict, setConflict] = useState<AgentField[]>([]);
  const take = useAgentSaved();
  const close = () => {
    setBase(null);
    setConflict([]);
    saving.reset();
  };
  const saving = useMutation<SaveOutcome, Error, { base: Agent; values: DetailsValues }>({
    mutationFn: ({ base: from, values }) =>
      saveAgent({
        agentId,
        base: from,
        change: changeOf(from, values),
        releaseNote: values.release_note,
      }),
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
      <Button variant="ghost" size="small" disabled={!agent} onClick={() => setBase(agent ?? null)}>
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
            loading={saving.isPending}
            error={messageOf(saving.error)}
            onSubmit={(values) =>
              isChanged(base, values) ? saving.mutate({ base, values }) : close()
            }
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  );
}

/** Only what differs: a field that was left alone must not put somebody else's change back. */
function changeOf(base: Agent, values: DetailsValues): Partial<AgentFields> {
  return Object.fromEntries(
    FIELDS.filter((field) => values[field] !== base[field]).map((field) => [field, values[field]]),
  );
}

function isChanged(base: Agent, values: DetailsValues): boolean {
  return Object.keys(changeOf(base, values)).length > 0;
}

interface AgentActionsProps {
  agentId: string;
  name: string;
  archived: boolean;
}

function AgentActions({ agentId, name, archived }: AgentActionsProps) {
  const [dialog, setDialog] = useState<"edit" | "archive" | null>(null);
  const router = useRouter();
  const duplicate = useConsoleMutation(
    () =>
      consoleApi.post("/v1/agents/{agent_id}/duplicate", {
        params: { path: { agent_id: agentId } },
      }),
    {
      stale: ["/v1/agents"],
      done: "This is the copy.",
      onSuccess: (copy) => router.push(`/agents/${copy.agent_id}`),
    },
  );
  return (
    <>
      {!archived && (
        <Button onClick={() => setDialog("edit")}>
          <PencilLine aria-hidden="true" />
          Edit in words
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button size="icon" aria-label="More actions" loading={duplicate.isPending}>
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => duplicate.mutate()}>
            <Copy aria-hidden="true" />
            Duplicate
          </MenuItem>
          <MenuItem asChild>
            {/* The answer is an attachment: the page stays. */}
            <a href={CONSOLE_ADDRESS + reads.agentExport(agentId).url} download>
              <Download aria-hidden="true" />
              Export as YAML
            </a>
          </MenuItem>
          {!archived && (
            <>
              <MenuSeparator />
              <MenuItem danger onSelect={() => setDialog("archive")}>
                <Archive aria-hidden="true" />
                Archive agent
              </MenuItem>
            </>
          )}
        </MenuContent>
      </Menu>
      {!archived && (
        <EditDialog agentId={agentId} open={dialog === "edit"} onClose={() => setDialog(null)} />
      )}
      <ArchiveDialog
        agentId={agentId}
        name={name}
        open={dialog === "archive"}
        onClose={() => setDialog(null)}
      />
    </>
  );
}

interface ArchiveDialogProps {
  agentId: string;
  name: string;
  open: boolean;
  onClose: () => void;
}

function ArchiveDialog({ agentId, name, open, onClose }: ArchiveDialogProps) {
  const router = useRouter();
  const archive = useConsoleMutation(
    () => consoleApi.delete("/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } }),
    {
      stale: ["/v1/agents", reads.keys],
      done: `${name} was archived.`,
      onSuccess: () => router.push("/agents"),
    },
  );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Archive ${name}?`}
      action="Archive agent"
      loading={archive.isPending}
      onConfirm={() => archive.mutate()}
    >
      It can no longer be run or changed, its schedules start nothing, and its app keys are revoked
      at once. Its runs stay readable, and it can still be duplicated and exported. This cannot be
      undone.
    </ConfirmDialog>
  );
}
