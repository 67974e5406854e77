"use client";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { CRON_PRESETS } from "@/lib/console/schedule/cron-presets";
import { describeCron } from "@/lib/console/schedule/describe-cron";
import { CRON_MAX_CHARACTERS } from "@/lib/model/schedule/parse-cron";

interface CronFieldProps {
  value: string;
  problem: string | null;
  onChange: (cron: string) => void;
}

/** Times by their names, or as an expression; picking a name writes the expression. */
export function CronField({ value, problem, onChange }: CronFieldProps) {
  const words = problem === null ? describeCron(value) : null;
  const preset = CRON_PRESETS.find((cron) => cron === value.trim()) ?? "";
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Repeats">
        {(control) => (
          <Select {...control} value={preset} onChange={(event) => event.target.value && onChange(event.target.value)}>
            <option value="">At other times</option>
            {CRON_PRESETS.map((cron) => (
              <option key={cron} value={cron}>
                {capitalised(describeCron(cron) ?? cron)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Cron expression" hint={words ? capitalised(words) : "Minute, hour, day of month, month, day of week."} error={problem}>
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

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
