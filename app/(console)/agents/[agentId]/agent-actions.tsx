"use client";
import { Archive, Copy, Download, Ellipsis, PencilLine } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/menu";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { EditDialog } from "./edit-dialog";

interface AgentActionsProps {
  agentId: string;
  name: string;
  archived: boolean;
}

export function AgentActions({ agentId, name, archived }: AgentActionsProps) {
  const [dialog, setDialog] = useState<"edit" | "archive" | null>(null);
  const router = useRouter();
  const duplicate = useConsoleMutation(
    () => requestConsoleJson<AgentRecord>(`${consolePaths.agent(agentId)}/duplicate`, { method: "POST" }),
    { stale: ["v1/agents"], done: "This is the copy.", onSuccess: (copy) => router.push(`/agents/${copy.agent_id}`) },
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
          <Button size="icon" aria-label="More actions" busy={duplicate.isPending}>
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
            <a href={`/api/console/${consolePaths.agent(agentId)}/export`} download>
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
      {!archived && <EditDialog agentId={agentId} open={dialog === "edit"} onClose={() => setDialog(null)} />}
      <ArchiveDialog agentId={agentId} name={name} open={dialog === "archive"} onClose={() => setDialog(null)} />
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
  const archive = useConsoleMutation(() => requestConsoleJson<void>(consolePaths.agent(agentId), { method: "DELETE" }), {
    stale: ["v1/agents", consolePaths.keys],
    done: `${name} was archived.`,
    onSuccess: () => router.push("/agents"),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={`Archive ${name}?`}
      action="Archive agent"
      busy={archive.isPending}
      onConfirm={() => archive.mutate()}
    >
      It can no longer be run or changed, its schedules start nothing, and its app keys are revoked at once. Its runs stay readable, and it
      can still be duplicated and exported. This cannot be undone.
    </ConfirmDialog>
  );
}
