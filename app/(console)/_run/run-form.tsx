"use client";

import { Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ModelId } from "@/lib/client/schemas";
import type { InputSchema } from "@/lib/console/inputs";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { ON_BUDGET, type OnBudget } from "@/lib/model/run/on-budget";
import { InputFields, useInputForm } from "./input-form";
import { useInputsOf, VersionSelect } from "./version-select";

interface RunFormProps {
  /** Of the agent as it is. */
  schema: InputSchema | null;
  /** Whose versions may be picked; absent: none. */
  agentId?: string;
  /** Example requests, which a click puts into the field for words. */
  starters?: readonly string[];
  loading: boolean;
  onRun: (body: {
    input: JsonObject;
    workspace_id?: string;
    model?: ModelId;
    version?: number;
    max_credits?: number;
    on_budget?: OnBudget;
  }) => void;
}

/**
 * Asks for an agent's inputs, by its schema when it has one, and for where, with what model and in
 * which version to run.
 */
export function RunForm({ schema, agentId, starters = [], loading, onRun }: RunFormProps) {
  const [version, setVersion] = useState<number | null>(null);
  const form = useInputForm(useInputsOf(agentId, schema, version));
  const [workspaceId, setWorkspaceId] = useState("");
  const [model, setModel] = useState<ModelId | "">("");
  const [limit, setLimit] = useState("");
  const [onBudget, setOnBudget] = useState<OnBudget | "">("");
  const isLimit = limit.trim() === "" || Number(limit) > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = form.read();
    if (input && isLimit)
      onRun({
        input,
        ...(workspaceId ? { workspace_id: workspaceId } : {}),
        ...(model ? { model } : {}),
        ...(version === null ? {} : { version }),
        ...(limit.trim() ? { max_credits: Number(limit) } : {}),
        ...(onBudget ? { on_budget: onBudget } : {}),
      });
  };
  return (
    <form id={form.id} onSubmit={submit} noValidate className="grid gap-4">
      <InputFields form={form} />
      <Starters starters={starters} form={form} />
      <div className="grid gap-4 sm:grid-cols-2">
        <WorkspaceSelect value={workspaceId} onChange={setWorkspaceId} />
        <ModelSelect value={model} onChange={setModel} />
        {agentId !== undefined && (
          <VersionSelect agentId={agentId} value={version} onChange={setVersion} />
        )}
        <Field
          label="Most credits"
          hint="The agent's own limit, where you leave it empty."
          error={isLimit ? null : "More than 0, or nothing."}
        >
          {(control) => (
            <Input
              {...control}
              type="number"
              inputMode="decimal"
              min={0}
              step="any"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          )}
        </Field>
        <OnBudgetSelect value={onBudget} onChange={setOnBudget} />
      </div>
      <div>
        <Button
          type="submit"
          variant="primary"
          loading={loading}
          className="max-sm:h-10 max-sm:w-full"
        >
          <Play aria-hidden="true" />
          Run agent
        </Button>
      </div>
    </form>
  );
}

/** More would push the form away. */
const STARTERS_SHOWN = 4;

/** Nothing where the agent has no examples, or no field that takes words. */
function Starters({
  starters,
  form,
}: {
  starters: readonly string[];
  form: ReturnType<typeof useInputForm>;
}) {
  const field = form.fields?.find(({ control }) => control === "text" || control === "textarea");
  if (starters.length === 0 || (form.fields && !field)) return null;
  const put = (text: string) =>
    field ? form.setValue(field.name, text) : form.setFree({ text, json: false });
  return (
    <fieldset className="grid gap-1.5">
      <legend className="caption mb-1.5">For example</legend>
      {starters.slice(0, STARTERS_SHOWN).map((text) => (
        <Button
          key={text}
          type="button"
          variant="secondary"
          className="h-auto justify-start whitespace-normal py-2 text-left"
          onClick={() => put(text)}
        >
          {text}
        </Button>
      ))}
    </fieldset>
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

/** What becomes of a run whose credits do not cover its next step. */
export function OnBudgetSelect({
  value,
  onChange,
}: {
  value: OnBudget | "";
  onChange: (value: OnBudget | "") => void;
}) {
  return (
    <Field label="At its budget" hint="Where its credits do not cover the next step.">
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onChange(ON_BUDGET.find((one) => one === event.target.value) ?? "")}
        >
          <option value="">As the agent&apos;s config says</option>
          <option value="wait">Wait until it is raised</option>
          <option value="fail">Fail</option>
        </Select>
      )}
    </Field>
  );
}

/** A run is led by a model that talks; these make something else. */
const OTHER_THAN_CHAT = ["image", "speech", "video"];

/** Whose model serves when none is picked, in words. */
const UNPICKED = {
  agent: { option: "Agent's default", hint: "The agent's own, unless you pick one." },
  service: { option: "Default model", hint: undefined },
  run: {
    option: "As before",
    hint: "With another version that version's own, unless you pick one.",
  },
};

interface ModelSelectProps {
  /** Whose model serves when none is picked. */
  whose?: keyof typeof UNPICKED;
  value: ModelId | "";
  onChange: (value: ModelId | "") => void;
}

export function ModelSelect({ whose = "agent", value, onChange }: ModelSelectProps) {
  const { data } = useConsoleQuery(reads.models);
  const chat =
    data?.data.filter(
      (model) =>
        model.available &&
        !model.capabilities.some((capability) => OTHER_THAN_CHAT.includes(capability)),
    ) ?? [];
  return (
    <Field label="Model" hint={UNPICKED[whose].hint}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) =>
            onChange(chat.find(({ model }) => model === event.target.value)?.model ?? "")
          }
        >
          <option value="">{UNPICKED[whose].option}</option>
          {chat.map((model) => (
            <option key={model.model} value={model.model}>
              {model.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
