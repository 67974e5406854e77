"use client";
import { zodResolver } from "@hookform/resolvers/zod";
import { useId } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { z } from "zod";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { Agent } from "@/lib/client/schemas";
import type { AgentField, AgentFields } from "@/lib/console/agent-edit/save-agent";
import { AUTONOMY_LABELS } from "@/lib/console/autonomy-labels";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS, RELEASE_NOTE_MAX_CHARACTERS, VERSION_MAX_CHARACTERS } from "@/lib/model/limits";
import { WRITE_AUTONOMIES, type WriteAutonomy } from "@/lib/model/write-autonomy";

const atMost = (characters: number) => `At most ${characters.toLocaleString("en")} characters.`;

const schema = z.object({
  name: z.string().trim().min(1, "Give it a name.").max(NAME_MAX_CHARACTERS, atMost(NAME_MAX_CHARACTERS)),
  description: z.string().max(DESCRIPTION_MAX_CHARACTERS, atMost(DESCRIPTION_MAX_CHARACTERS)),
  version: z.string().trim().min(1, "A version has at least one character.").max(VERSION_MAX_CHARACTERS, atMost(VERSION_MAX_CHARACTERS)),
  write_autonomy: z.enum(WRITE_AUTONOMIES),
  release_note: z.string().trim().max(RELEASE_NOTE_MAX_CHARACTERS, atMost(RELEASE_NOTE_MAX_CHARACTERS)),
});

export type DetailsValues = Pick<AgentFields, "name" | "description" | "version" | "write_autonomy"> & { release_note: string };

interface DetailsFormProps {
  current: Agent;
  /** Fields that somebody else changed meanwhile, to what `current` says. */
  conflict: AgentField[];
  loading: boolean;
  error: string | undefined;
  onSubmit: (values: DetailsValues) => void;
  onCancel: () => void;
}

export function DetailsForm({ current, conflict, loading, error, onSubmit, onCancel }: DetailsFormProps) {
  const { name, description, version, write_autonomy } = current;
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name, description: description ?? "", version, write_autonomy, release_note: "" },
  });
  const { errors } = form.formState;
  return (
    <form
      onSubmit={form.handleSubmit((values) => onSubmit({ ...values, description: values.description || null }))}
      noValidate
      className="grid gap-4"
    >
      {error && (
        <Alert tone="danger" title="This was not saved" alert>
          {error}
        </Alert>
      )}
      {conflict.length > 0 && <MeanwhileNotice current={current} fields={conflict} />}
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <Field label="Name" error={errors.name?.message}>
          {(control) => <Input {...control} {...form.register("name")} autoComplete="off" />}
        </Field>
        <Field label="Version" error={errors.version?.message}>
          {(control) => <Input {...control} {...form.register("version")} autoComplete="off" className="font-mono" />}
        </Field>
      </div>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...form.register("description")} className="min-h-14" />}
      </Field>
      <AutonomyChoice registration={form.register("write_autonomy")} />
      <Field label="Release note" optional error={errors.release_note?.message}>
        {(control) => <Input {...control} {...form.register("release_note")} autoComplete="off" placeholder="What changed, and why" />}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={loading}>
          {conflict.length > 0 ? "Save mine" : "Save details"}
        </Button>
      </DialogActions>
    </form>
  );
}

const NAMES: Partial<Record<AgentField, string>> = {
  name: "name",
  description: "description",
  version: "version",
  write_autonomy: "write autonomy",
};

function MeanwhileNotice({ current, fields }: { current: Agent; fields: AgentField[] }) {
  return (
    <Alert tone="warning" alert title="Somebody else changed this agent meanwhile. Nothing was overwritten.">
      <ul className="grid gap-0.5">
        {fields.map((field) => (
          <li key={field}>
            The {NAMES[field] ?? field} is now “{current[field] ?? ""}”.
          </li>
        ))}
      </ul>
      <p className="mt-1">What you wrote is below: save it over theirs, or cancel to keep theirs.</p>
    </Alert>
  );
}

const CHOICES: { value: WriteAutonomy; text: string }[] = [
  { value: "full_auto", text: "It sends, creates and changes things outside at once, without asking." },
  { value: "approval_required", text: "Each such call waits until you approve or reject it; the run waits with it." },
  { value: "blocked", text: "Such calls are refused, and the agent is told so. It can still read." },
];

/** How far the agent may write outside the service, each in a sentence. */
function AutonomyChoice({ registration }: { registration: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <fieldset aria-describedby={`${id}-hint`} className="grid gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Write autonomy</legend>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line-strong">
        {CHOICES.map(({ value, text }) => (
          <label
            key={value}
            className="flex cursor-pointer gap-3 px-3 py-2 text-sm transition-colors hover:bg-hover/60 has-checked:bg-accent-soft"
          >
            <input type="radio" value={value} {...registration} className="mt-0.5 size-4 shrink-0 accent-(--accent)" />
            <span>
              <span className="font-medium">{AUTONOMY_LABELS[value]}</span>
              <span className="block text-muted text-xs">{text}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="text-faint text-xs">
        It is about the agent's own connectors: HTTP tools that do more than read, and MCP tools that are not marked as reading only. The
        config's permissions can only make it stricter.
      </p>
    </fieldset>
  );
}
