"use client";

import { type FormEvent, useState } from "react";
import { useReader } from "@/components/format/format-value";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import type { Agent, Schedule } from "@/lib/client/schemas";
import { consoleApi, messageOf } from "@/lib/console/api";
import { useConsoleMutation } from "@/lib/console/queries";
import { CRON_PRESETS, describeCron, timeZones } from "@/lib/console/schedule/describe-cron";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { END_USER_MAX_CHARACTERS, WEBHOOK_URL_MAX_CHARACTERS } from "@/lib/model/limits";
import type { OnBudget } from "@/lib/model/run/on-budget";
import { CRON_MAX_CHARACTERS, checkSchedule, nextFirings } from "@/lib/model/schedule/schedule";
import { InputFields, useInputForm } from "../../../_run/input-form";
import { OnBudgetSelect } from "../../../_run/run-form";
import { useInputsOf, VersionSelect } from "../../../_run/version-select";

interface ScheduleDialogProps {
  agent: Agent;
  /** Null makes another one. */
  schedule: Schedule | null;
  open: boolean;
  onClose: () => void;
}

export function ScheduleDialog({ agent, schedule, open, onClose }: ScheduleDialogProps) {
  const path = { agent_id: agent.agent_id };
  const save = useConsoleMutation(
    (draft: ScheduleDraft) =>
      schedule
        ? consoleApi.patch("/v1/agents/{agent_id}/schedules/{schedule_id}", {
            params: { path: { ...path, schedule_id: schedule.schedule_id } },
            body: draft,
          })
        : consoleApi.post("/v1/agents/{agent_id}/schedules", { params: { path }, body: draft }),
    {
      stale: [`/v1/agents/${agent.agent_id}/schedules`],
      done: schedule ? "The schedule was changed." : "The schedule was created.",
      quiet: true,
      onSuccess: onClose,
    },
  );
  const close = () => {
    onClose();
    save.reset();
  };
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && close()}
      title={schedule ? "Edit schedule" : "Create schedule"}
      description={`Runs ${agent.name} by the clock, with the same input each time.`}
    >
      <ScheduleForm
        agent={agent}
        schedule={schedule}
        loading={save.isPending}
        error={messageOf(save.error)}
        onSubmit={(draft) => save.mutate(draft)}
        onCancel={close}
      />
    </Dialog>
  );
}

interface ScheduleDraft {
  cron: string;
  timezone: string;
  input: JsonObject;
  on_budget: OnBudget | null;
  enabled: boolean;
  /** Absent: as it was named. */
  version?: number | null;
  max_credits: number | null;
  webhook_url: string | null;
  end_user: string | null;
}

interface ScheduleFormProps {
  agent: Agent;
  schedule: Schedule | null;
  loading: boolean;
  error: string | undefined;
  onSubmit: (draft: ScheduleDraft) => void;
  onCancel: () => void;
}

/** When, in which time zone, with what input, by which version, for how much, and who is told. */
function ScheduleForm({ agent, schedule, loading, error, onSubmit, onCancel }: ScheduleFormProps) {
  const [cron, setCron] = useState(schedule?.cron ?? "0 9 * * mon-fri");
  const [timezone, setTimezone] = useState(
    () => schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [onBudget, setOnBudget] = useState<OnBudget | "">(schedule?.on_budget ?? "");
  const [zones] = useState(() => timeZones(timezone));
  const [version, setVersion] = useState(schedule?.agent_version ?? null);
  const [budget, setBudget] = useState(schedule?.max_credits?.toString() ?? "");
  const [webhookUrl, setWebhookUrl] = useState(schedule?.webhook_url ?? "");
  const [endUser, setEndUser] = useState(schedule?.end_user ?? "");
  const inputs = useInputsOf(agent.agent_id, agent.inputs_schema, version);
  const form = useInputForm(inputs, schedule?.input);
  const budgetProblem = budget.trim() !== "" && !(Number(budget) > 0) ? "More than 0." : null;
  const problem = checkSchedule(cron, timezone, new Date())[0]?.message ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = form.read();
    if (!input || problem !== null || budgetProblem !== null) return;
    onSubmit({
      cron: cron.trim(),
      timezone,
      input,
      enabled,
      ...(version !== (schedule?.agent_version ?? null) && { version }),
      max_credits: budget.trim() === "" ? null : Number(budget),
      webhook_url: webhookUrl.trim() || null,
      end_user: endUser.trim() || null,
      on_budget: onBudget || null,
    });
  };
  return (
    <form id={form.id} onSubmit={submit} noValidate className="grid gap-4">
      {error && (
        <Alert tone="danger" title="The schedule was not saved" alert>
          {error}
        </Alert>
      )}
      <CronField value={cron} problem={problem} onChange={setCron} />
      <Field label="Time zone">
        {(control) => (
          <Select
            {...control}
            value={timezone}
            onChange={(event) => setTimezone(event.target.value)}
          >
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll("_", " ")}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {problem === null && <FiringsPreview cron={cron} timezone={timezone} />}
      <InputFields form={form} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <VersionSelect
          agentId={agent.agent_id}
          value={version}
          unpicked="The current one of each firing"
          onChange={setVersion}
        />
        <Field
          label="Credits a run"
          hint="The most that it may cost."
          error={budgetProblem}
          optional
        >
          {(control) => (
            <Input
              {...control}
              value={budget}
              inputMode="decimal"
              onChange={(event) => setBudget(event.target.value)}
              autoComplete="off"
            />
          )}
        </Field>
      </div>
      <Field label="Webhook" hint="Is sent the result of each run." optional>
        {(control) => (
          <Input
            {...control}
            type="url"
            value={webhookUrl}
            maxLength={WEBHOOK_URL_MAX_CHARACTERS}
            onChange={(event) => setWebhookUrl(event.target.value)}
            placeholder="https://example.com/hooks/runs"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <OnBudgetSelect value={onBudget} onChange={setOnBudget} />
        <Field label="End user" hint="Your own name for whom it runs." optional>
          {(control) => (
            <Input
              {...control}
              value={endUser}
              maxLength={END_USER_MAX_CHARACTERS}
              onChange={(event) => setEndUser(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      </div>
      <Field label="Enabled" hint="Switched off, it keeps its times and input and starts nothing.">
        {(control) => <Switch {...control} checked={enabled} onCheckedChange={setEnabled} />}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={loading}>
          {schedule ? "Save schedule" : "Create schedule"}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The next three times, on the clock of the zone. Only for what `checkSchedule` lets through. */
function FiringsPreview({ cron, timezone }: { cron: string; timezone: string }) {
  return (
    <div className="rounded-md border border-line bg-sunken px-3.5 py-2.5 text-sm">
      <p className="caption">Next runs</p>
      <ol aria-label="Next runs" className="mt-1 grid gap-0.5 tabular">
        {nextFirings(cron, timezone, new Date(), 3).map((time) => (
          <li key={time.getTime()}>
            <FiringTime time={time} timezone={timezone} />
          </li>
        ))}
      </ol>
    </div>
  );
}

interface CronFieldProps {
  value: string;
  problem: string | null;
  onChange: (cron: string) => void;
}

/** Times by their names, or as an expression; picking a name writes the expression. */
function CronField({ value, problem, onChange }: CronFieldProps) {
  const words = problem === null ? describeCron(value) : null;
  const preset = CRON_PRESETS.find((cron) => cron === value.trim()) ?? "";
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Repeats">
        {(control) => (
          <Select
            {...control}
            value={preset}
            onChange={(event) => event.target.value && onChange(event.target.value)}
          >
            <option value="">At other times</option>
            {CRON_PRESETS.map((cron) => (
              <option key={cron} value={cron}>
                {describeCron(cron) ?? cron}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Cron expression"
        hint={words ?? "Minute, hour, day of month, month, day of week."}
        error={problem}
      >
        {(control) => (
          <Input
            {...control}
            value={value}
            maxLength={CRON_MAX_CHARACTERS}
            onChange={(event) => onChange(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-sm"
          />
        )}
      </Field>
    </div>
  );
}

/** A firing on the clock of the schedule's zone: "in 2 days" would leave open which day that is. */
export function FiringTime({ time, timezone }: { time: Date; timezone: string }) {
  const { locale } = useReader();
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: timezone,
  });
  return <time dateTime={time.toISOString()}>{format.format(time)}</time>;
}
