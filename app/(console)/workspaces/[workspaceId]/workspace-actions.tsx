"use client";
import { Ellipsis, PencilLine, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import type { Workspace } from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";
import { useConsoleMutation } from "@/lib/console/queries";
import { WorkspaceForm, type WorkspaceValues } from "../workspace-form";

export function WorkspaceActions({ workspace }: { workspace: Workspace }) {
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const router = useRouter();
  const params = { path: { workspace_id: workspace.workspace_id } };
  const close = () => setDialog(null);
  const edit = useConsoleMutation((body: WorkspaceValues) => consoleApi.patch("/v1/workspaces/{workspace_id}", { params, body }), {
    stale: ["/v1/workspaces"],
    quiet: true,
    done: "Saved.",
    onSuccess: () => {
      close();
      router.refresh();
    },
  });
  const remove = useConsoleMutation(() => consoleApi.delete("/v1/workspaces/{workspace_id}", { params }), {
    stale: ["/v1/workspaces"],
    done: `${workspace.name} was deleted.`,
    onSuccess: () => router.push("/workspaces"),
  });
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button size="icon" aria-label="More actions">
            <Ellipsis aria-hidden="true" />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => setDialog("edit")}>
            <PencilLine aria-hidden="true" />
            Edit details
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            <Trash2 aria-hidden="true" />
            Delete workspace
          </MenuItem>
        </MenuContent>
      </Menu>
      <Dialog open={dialog === "edit"} onOpenChange={(open) => !open && close()} title="Edit workspace">
        <WorkspaceForm
          initial={workspace}
          action="Save"
          loading={edit.isPending}
          error={messageOf(edit.error)}
          onSubmit={(values) => edit.mutate(values)}
          onCancel={close}
        />
      </Dialog>
      <ConfirmDialog
        open={dialog === "delete"}
        onOpenChange={(open) => !open && close()}
        title={`Delete ${workspace.name}?`}
        action="Delete workspace"
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        All its files are deleted with it. This cannot be undone.
      </ConfirmDialog>
    </>
  );
}
