"use client";
import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ModelId } from "@/lib/client/schemas";
import type { InputSchema } from "@/lib/console/inputs";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { InputFields } from "./input-fields";
import { ModelSelect } from "./model-select";
import { useInputForm } from "./use-input-form";

interface RunFormProps {
  schema: InputSchema | null;
  busy: boolean;
  onRun: (body: { input: JsonObject; workspace_id?: string; model?: ModelId }) => void;
}

/** Asks for an agent's inputs, by its schema when it has one, and for where and with what model to run. */
export function RunForm({ schema, busy, onRun }: RunFormProps) {
  const form = useInputForm(schema);
  const [workspaceId, setWorkspaceId] = useState("");
  const [model, setModel] = useState<ModelId | "">("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = form.read();
    if (input) onRun({ input, ...(workspaceId ? { workspace_id: workspaceId } : {}), ...(model ? { model } : {}) });
  };
  return (
    <form id={form.id} onSubmit={submit} noValidate className="grid gap-4">
      <InputFields form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <WorkspaceSelect value={workspaceId} onChange={setWorkspaceId} />
        <ModelSelect value={model} onChange={setModel} />
      </div>
      <div>
        <Button type="submit" look="primary" busy={busy} className="max-sm:h-10 max-sm:w-full">
          <Play aria-hidden="true" />
          Run agent
        </Button>
      </div>
    </form>
  );
}

interface PickProps {
  value: string;
  onChange: (value: string) => void;
}

function WorkspaceSelect({ value, onChange }: PickProps) {
  const { data } = useConsoleQuery(reads.workspaces);
  return (
    <Field label="Workspace" hint="Its files can be read by the run.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">None</option>
          {data?.data.map((workspace) => (
            <option key={workspace.workspace_id} value={workspace.workspace_id}>
              {workspace.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
