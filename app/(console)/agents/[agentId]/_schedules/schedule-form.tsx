"use client";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { timeZones } from "@/lib/console/schedule/time-zones";
import type { AgentRecord } from "@/lib/console/shapes/agent";
import type { Schedule } from "@/lib/console/shapes/schedule";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { checkSchedule } from "@/lib/model/schedule/check-schedule";
import { InputFields } from "../../../_run/input-fields";
import { useInputForm } from "../../../_run/use-input-form";
import { CronField } from "./cron-field";
import { FiringsPreview } from "./firings-preview";

export interface ScheduleDraft {
  cron: string;
  timezone: string;
  input: JsonObject;
  enabled: boolean;
}

interface ScheduleFormProps {
  agent: AgentRecord;
  schedule: Schedule | null;
  busy: boolean;
  error: string | undefined;
  onSubmit: (draft: ScheduleDraft) => void;
  onCancel: () => void;
}

/** When, in which time zone, with what input. */
export function ScheduleForm({ agent, schedule, busy, error, onSubmit, onCancel }: ScheduleFormProps) {
  const [cron, setCron] = useState(schedule?.cron ?? "0 9 * * mon-fri");
  const [timezone, setTimezone] = useState(() => schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [zones] = useState(() => timeZones(timezone));
  const form = useInputForm(agent.inputs_schema, schedule?.input);
  const problem = checkSchedule(cron, timezone, new Date())[0]?.message ?? null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = form.read();
    if (input && problem === null) onSubmit({ cron: cron.trim(), timezone, input, enabled });
  };
  return (
    <form id={form.id} onSubmit={submit} noValidate className="grid gap-4">
      {error && (
        <Notice tone="danger" title="The schedule was not saved" alert>
          {error}
        </Notice>
      )}
      <CronField value={cron} problem={problem} onChange={setCron} />
      <Field label="Time zone">
        {(control) => (
          <Select {...control} value={timezone} onChange={(event) => setTimezone(event.target.value)}>
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
      <Field label="Enabled" hint="Switched off, it keeps its times and input and starts nothing.">
        {(control) => <Switch {...control} checked={enabled} onCheckedChange={setEnabled} />}
      </Field>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          {schedule ? "Save schedule" : "Create schedule"}
        </Button>
      </DialogActions>
    </form>
  );
}
