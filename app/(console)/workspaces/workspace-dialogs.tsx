"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { Ellipsis, PencilLine, Trash2, X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { AgentGlyph } from "@/components/brand/turned-part";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "@/components/ui/menu";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import type { Workspace } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation, useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";

/** What the account says of a workspace: all that the API shows but what the service says. */
export type WorkspaceValues = Omit<Workspace, "workspace_id" | "created_at" | "updated_at">;

const schema = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give it a name.")
    .max(NAME_MAX_CHARACTERS, `At most ${NAME_MAX_CHARACTERS} characters.`),
  description: z
    .string()
    .trim()
    .max(
      DESCRIPTION_MAX_CHARACTERS,
      `At most ${DESCRIPTION_MAX_CHARACTERS.toLocaleString("en")} characters.`,
    ),
} satisfies Record<keyof WorkspaceValues, z.ZodType>);

interface WorkspaceFormProps {
  initial?: WorkspaceValues;
  action: string;
  loading: boolean;
  error: string | undefined;
  onSubmit: (values: WorkspaceValues) => void;
  onCancel: () => void;
}

/** Name and description of a workspace, to make one or to change it. */
export function WorkspaceForm({
  initial,
  action,
  loading,
  error,
  onSubmit,
  onCancel,
}: WorkspaceFormProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: initial?.name ?? "", description: initial?.description ?? "" },
  });
  const { errors } = form.formState;
  return (
    <form
      onSubmit={form.handleSubmit(({ name, description }) =>
        onSubmit({ name, description: description || null }),
      )}
      noValidate
      className="grid gap-4"
    >
      {error && (
        <Alert tone="danger" title="That was not saved" alert>
          {error}
        </Alert>
      )}
      <Field label="Name" error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("name")}
            placeholder="Sales figures"
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...form.register("description")} />}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={loading}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

export function WorkspaceActions({ workspace }: { workspace: Workspace }) {
  const [dialog, setDialog] = useState<"edit" | "delete" | null>(null);
  const router = useRouter();
  const params = { path: { workspace_id: workspace.workspace_id } };
  const close = () => setDialog(null);
  const edit = useConsoleMutation(
    (body: WorkspaceValues) => consoleApi.patch("/v1/workspaces/{workspace_id}", { params, body }),
    {
      stale: ["/v1/workspaces"],
      quiet: true,
      done: "Saved.",
      onSuccess: () => {
        close();
        router.refresh();
      },
    },
  );
  const remove = useConsoleMutation(
    () => consoleApi.delete("/v1/workspaces/{workspace_id}", { params }),
    {
      stale: ["/v1/workspaces"],
      done: `${workspace.name} was deleted.`,
      onSuccess: () => router.push("/workspaces"),
    },
  );
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
      <Dialog
        open={dialog === "edit"}
        onOpenChange={(open) => !open && close()}
        title="Edit workspace"
      >
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

/** Which agents may read this workspace: all, until some are named. */
export function AssignedAgents({ workspaceId }: { workspaceId: string }) {
  const { data: assigned } = useConsoleQuery(reads.workspaceAgents(workspaceId));
  const { data: agents } = useConsoleQuery(reads.agents({ limit: 100 }));
  const change = useConsoleMutation(
    ({ agentId, assigned }: { agentId: string; assigned: boolean }) => {
      const init = { params: { path: { workspace_id: workspaceId, agent_id: agentId } } };
      return assigned
        ? consoleApi.put("/v1/workspaces/{workspace_id}/agents/{agent_id}", init)
        : consoleApi.delete("/v1/workspaces/{workspace_id}/agents/{agent_id}", init);
    },
    { stale: [`/v1/workspaces/${workspaceId}/agents`] },
  );
  const taken = new Set(assigned?.data.map((agent) => agent.agent_id));
  const free = agents?.data.filter((agent) => !taken.has(agent.agent_id)) ?? [];
  return (
    <Card aria-label="Agents">
      <CardHeader title="Agents" />
      <div className="grid gap-3 p-4 text-sm">
        <p className="text-muted">
          {taken.size === 0
            ? "Every agent may be given this workspace. Name some to keep it to those."
            : "Only these agents may be given this workspace."}
        </p>
        {taken.size > 0 && (
          <ul className="grid gap-1">
            {assigned?.data.map((agent) => (
              <li key={agent.agent_id} className="flex items-center gap-2.5">
                <AgentGlyph agentId={agent.agent_id} className="size-6 rounded-sm" />
                <Link
                  href={`/agents/${agent.agent_id}`}
                  className="min-w-0 flex-1 truncate underline-offset-4 hover:underline"
                >
                  {agent.name}
                </Link>
                <Button
                  variant="ghost"
                  size="icon-small"
                  aria-label={`Remove ${agent.name}`}
                  onClick={() => change.mutate({ agentId: agent.agent_id, assigned: false })}
                >
                  <X aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        {free.length > 0 && (
          <Select
            aria-label="Add an agent"
            value=""
            disabled={change.isPending}
            onChange={(event) =>
              event.target.value && change.mutate({ agentId: event.target.value, assigned: true })
            }
          >
            <option value="">Add an agent…</option>
            {free.map((agent) => (
              <option key={agent.agent_id} value={agent.agent_id}>
                {agent.name}
              </option>
            ))}
          </Select>
        )}
      </div>
    </Card>
  );
}
