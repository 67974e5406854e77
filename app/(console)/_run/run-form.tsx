"use client";
import { Play } from "lucide-react";
import { type FormEvent, useId, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { toFormFields } from "@/lib/console/inputs/to-form-fields";
import { type FormValues, toRunInput } from "@/lib/console/inputs/to-run-input";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { FreeInput, readFreeInput } from "./free-input";
import { InputField } from "./input-field";
import { ModelSelect } from "./model-select";
import { WorkspaceSelect } from "./workspace-select";

interface RunFormProps {
  schema: JsonObject | null;
  busy: boolean;
  onRun: (body: { input: JsonObject; workspace_id?: string; model?: string }) => void;
}

/** Asks for an agent's inputs, by its schema when it has one, and for where and with what model to run. */
export function RunForm({ schema, busy, onRun }: RunFormProps) {
  const fields = useMemo(() => toFormFields(schema), [schema]);
  const [values, setValues] = useState<FormValues>(new Map());
  const [free, setFree] = useState({ text: "", json: schema !== null && fields === null });
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [workspaceId, setWorkspaceId] = useState("");
  const [model, setModel] = useState("");
  const formId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = fields ? toRunInput(fields, values) : readFreeInput(free);
    setProblems(read.problems);
    const first = read.problems.keys().next().value;
    if (first === undefined)
      return onRun({ input: read.input, ...(workspaceId ? { workspace_id: workspaceId } : {}), ...(model ? { model } : {}) });
    document.querySelector<HTMLElement>(`#${CSS.escape(formId)} [name="${CSS.escape(first)}"]`)?.focus();
  };
  return (
    <form id={formId} onSubmit={submit} noValidate className="grid gap-4">
      {fields ? (
        fields.map((field) => (
          <InputField
            key={field.name}
            field={field}
            value={values.get(field.name) ?? field.initial}
            error={problems.get(field.name)}
            onChange={(value) => setValues((before) => new Map(before).set(field.name, value))}
          />
        ))
      ) : (
        <FreeInput value={free} error={problems.get("request")} onChange={setFree} />
      )}
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
