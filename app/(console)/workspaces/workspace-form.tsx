"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { Workspace } from "@/lib/client/schemas";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";

/** What the account says of a workspace: all that the API shows but what the service says. */
export type WorkspaceValues = Omit<Workspace, "workspace_id" | "created_at" | "updated_at">;

const schema = z.object({
  name: z.string().trim().min(1, "Give it a name.").max(NAME_MAX_CHARACTERS, `At most ${NAME_MAX_CHARACTERS} characters.`),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_MAX_CHARACTERS, `At most ${DESCRIPTION_MAX_CHARACTERS.toLocaleString("en")} characters.`),
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
export function WorkspaceForm({ initial, action, loading, error, onSubmit, onCancel }: WorkspaceFormProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: initial?.name ?? "", description: initial?.description ?? "" },
  });
  const { errors } = form.formState;
  return (
    <form
      onSubmit={form.handleSubmit(({ name, description }) => onSubmit({ name, description: description || null }))}
      noValidate
      className="grid gap-4"
    >
      {error && (
        <Alert tone="danger" title="That was not saved" alert>
          {error}
        </Alert>
      )}
      <Field label="Name" error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register("name")} placeholder="Sales figures" autoComplete="off" />}
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
