"use client";
import { Archive, Ellipsis, PencilLine } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { EditDialog } from "./edit-dialog";

export function AgentActions({ agentId, name, archived }: { agentId: string; name: string; archived: boolean }) {
  const [dialog, setDialog] = useState<"edit" | "archive" | null>(null);
  const router = useRouter();
  const archive = useConsoleMutation(() => requestConsoleJson<void>(consolePaths.agent(agentId), { method: "DELETE" }), {
    stale: ["v1/agents", consolePaths.keys],
    done: `${name} was archived.`,
    onSuccess: () => router.push("/agents"),
  });
  if (archived) return null;
  return (
    <>
      <Button onClick={() => setDialog("edit")}>
        <PencilLine aria-hidden="true" />
        Edit in words
      </Button>
      <Menu>
        <MenuTrigger asChild>
          <Button size="icon" aria-label="More actions">
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem danger onSelect={() => setDialog("archive")}>
            <Archive aria-hidden="true" />
            Archive agent
          </MenuItem>
        </MenuContent>
      </Menu>
      <EditDialog agentId={agentId} open={dialog === "edit"} onClose={() => setDialog(null)} />
      <ConfirmDialog
        open={dialog === "archive"}
        onOpenChange={(open) => !open && setDialog(null)}
        title={`Archive ${name}?`}
        action="Archive agent"
        busy={archive.isPending}
        onConfirm={() => archive.mutate()}
      >
        It can no longer be run or changed, and its app keys are revoked. Its runs stay readable.
      </ConfirmDialog>
    </>
  );
}
