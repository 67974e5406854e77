"use client";
import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { consoleApi } from "@/lib/console/api";
import { messageOf } from "@/lib/console/errors";
import { useConsoleMutation } from "@/lib/console/queries";
import { WorkspaceForm, type WorkspaceValues } from "./workspace-form";

export function CreateWorkspaceButton() {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const create = useConsoleMutation((body: WorkspaceValues) => consoleApi.post("/v1/workspaces", { body }), {
    stale: ["/v1/workspaces"],
    quiet: true,
    onSuccess: (workspace) => router.push(`/workspaces/${workspace.workspace_id}`),
  });
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" />
        Create workspace
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Create workspace">
        <WorkspaceForm
          action="Create workspace"
          busy={create.isPending}
          error={messageOf(create.error)}
          onSubmit={(values) => create.mutate(values)}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
