"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { type FormEvent, useId, useState } from "react";
import { type UseFormRegisterReturn, useForm } from "react-hook-form";
import { z } from "zod";
import { AUTONOMY_LABELS } from "@/app/(console)/_shared/autonomy-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import type { Agent } from "@/lib/client/schemas";
import type { AgentField, AgentFields } from "@/lib/console/agent-edit/save-agent";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { useRunStream } from "@/lib/console/transcript/use-run-stream";
import {
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  RELEASE_NOTE_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { WRITE_AUTONOMIES, type WriteAutonomy } from "@/lib/model/write-autonomy";
import { LiveRun, useStreamEnd } from "../../_run/live-run";
import { ComparedVersions, useVersions } from "./_versions/version-views";

interface EditDialogProps {
  agentId: string;
  open: boolean;
  onClose: () => void;
  /** What stands in the field at first. */
  initial?: string;
}

/**
 * Changes an agent by saying how. The edit is a run of its own, shown live; until it has succeeded
 * the agent stays as it was.
 */
export function EditDialog({ agentId, open, onClose, initial = "" }: EditDialogProps) {
  const [input, setInput] = useState(initial);
  const stream = useRunStream();
  const { status } = stream.transcript;
  useStreamEnd(stream.transcript);
  const edit = useConsoleMutation(
    () =>
      consoleApi.post("/v1/agents/{agent_id}/edits", {
        params: { path: { agent_id: agentId } },
        body: { input },
      }),
    {
      quiet: true,
      stale: ["/v1/runs"],
      onSuccess: (run) => stream.follow(run.run_id),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (input.trim()) edit.mutate();
  };
  const started = stream.state !== null;
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Edit in words"
      description="Say what should change. A new version is stored once the edit has succeeded."
    >
      <form onSubmit={submit} className="grid gap-4">
        {edit.error && (
          <Alert tone="danger" title="The edit was not started" alert>
            {messageOf(edit.error)}
          </Alert>
        )}
        {started ? (
          <>
            <LiveRun stream={stream} label="Edit" />
            {status === "completed" && stream.transcript.runId && (
              <EditOutcome agentId={agentId} runId={stream.transcript.runId} />
            )}
          </>
        ) : (
          <Field label="What should change?">
            {(control) => (
              <Textarea
                {...control}
                value={input}
                onChange={(event) => setInput(event.target.value)}
                placeholder="Write the report in German, and put the totals first."
              />
            )}
          </Field>
        )}
        <p className="text-xs">
          <Link
            href={`/agents/${agentId}?tab=versions&list=edits`}
            onClick={onClose}
            className="text-accent underline-offset-4 hover:underline"
          >
            Earlier edits of this agent
          </Link>
        </p>
        <DialogActions>
          {stream.state === "ended" && <Button onClick={stream.reset}>Edit again</Button>}
          <Button onClick={onClose}>Close</Button>
          {!started && (
            <Button
              type="submit"
              variant="primary"
              loading={edit.isPending}
              disabled={!input.trim()}
            >
              Start edit
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What a successful edit changed: the version that it made beside the one before. */
function EditOutcome({ agentId, runId }: { agentId: string; runId: string }) {
  const { found, previous, looking } = useVersions(agentId, runId);
  if (looking) return <Skeleton className="h-40 rounded-lg" />;
  if (!found || !previous) return null;
  return (
    <Card aria-label="What the edit changed">
      <CardHeader title="What changed" note={`version ${previous.number} to ${found.number}`} />
      <ComparedVersions agentId={agentId} before={previous} after={found} />
    </Card>
  );
}

const atMost = (characters: number) => `At most ${characters.toLocaleString("en")} characters.`;

const detailsSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give it a name.")
    .max(NAME_MAX_CHARACTERS, atMost(NAME_MAX_CHARACTERS)),
  description: z.string().max(DESCRIPTION_MAX_CHARACTERS, atMost(DESCRIPTION_MAX_CHARACTERS)),
  version: z
    .string()
    .trim()
    .min(1, "A version has at least one character.")
    .max(VERSION_MAX_CHARACTERS, atMost(VERSION_MAX_CHARACTERS)),
  write_autonomy: z.enum(WRITE_AUTONOMIES),
  release_note: z
    .string()
    .trim()
    .max(RELEASE_NOTE_MAX_CHARACTERS, atMost(RELEASE_NOTE_MAX_CHARACTERS)),
});

export type DetailsValues = Pick<
  AgentFields,
  "name" | "description" | "version" | "write_autonomy"
> & { release_note: string };

interface DetailsFormProps {
  current: Agent;
  /** Fields that somebody else changed meanwhile, to what `current` says. */
  conflict: AgentField[];
  loading: boolean;
  error: string | undefined;
  onSubmit: (values: DetailsValues) => void;
  onCancel: () => void;
}

export function DetailsForm({
  current,
  conflict,
  loading,
  error,
  onSubmit,
  onCancel,
}: DetailsFormProps) {
  const { name, description, version, write_autonomy } = current;
  const form = useForm({
    resolver: zodResolver(detailsSchema),
    defaultValues: {
      name,
      description: description ?? "",
      version,
      write_autonomy,
      release_note: "",
    },
  });
  const { errors } = form.formState;
  return (
    <form
      onSubmit={form.handleSubmit((values) =>
        onSubmit({ ...values, description: values.description || null }),
      )}
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
          {(control) => (
            <Input
              {...control}
              {...form.register("version")}
              autoComplete="off"
              className="font-mono"
            />
          )}
        </Field>
      </div>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => (
          <Textarea {...control} {...form.register("description")} className="min-h-14" />
        )}
      </Field>
      <AutonomyChoice registration={form.register("write_autonomy")} />
      <Field label="Release note" optional error={errors.release_note?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register("release_note")}
            autoComplete="off"
            placeholder="What changed, and why"
          />
        )}
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
    <Alert
      tone="warning"
      alert
      title="Somebody else changed this agent meanwhile. Nothing was overwritten."
    >
      <ul className="grid gap-0.5">
        {fields.map((field) => (
          <li key={field}>
            The {NAMES[field] ?? field} is now “{current[field] ?? ""}”.
          </li>
        ))}
      </ul>
      <p className="mt-1">
        What you wrote is below: save it over theirs, or cancel to keep theirs.
      </p>
    </Alert>
  );
}

const CHOICES: { value: WriteAutonomy; text: string }[] = [
  {
    value: "full_auto",
    text: "It sends, creates and changes things outside at once, without asking.",
  },
  {
    value: "approval_required",
    text: "Each such call waits until you approve or reject it; the run waits with it.",
  },
  {
    value: "blocked",
    text: "Such calls are refused, and the agent is told so. It can still read.",
  },
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
            <input
              type="radio"
              value={value}
              {...registration}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="font-medium">{AUTONOMY_LABELS[value]}</span>
              <span className="block text-muted text-xs">{text}</span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-hint`} className="text-faint text-xs">
        It is about the agent's own connectors: HTTP tools that do more than read, and MCP tools
        that are not marked as reading only. The config's permissions can only make it stricter.
      </p>
    </fieldset>
  );
}
