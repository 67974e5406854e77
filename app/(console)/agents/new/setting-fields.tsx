"use client";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

/** Settings that become lines of the form behind the request, by their keys there. */
const FIELDS = [
  ["inputs", "Inputs", "year (integer, required), region"],
  ["output", "Output", "total (number, required), note"],
  ["tools", "Tools", "workspace_files, run_javascript"],
  ["ask before", "Ask before", "web_fetch"],
  ["max_steps", "Steps at most", "20"],
] as const;

type Settings = { readonly [Key in (typeof FIELDS)[number][0]]: string };

export const NO_SETTINGS: Settings = {
  inputs: "",
  output: "",
  tools: "",
  "ask before": "",
  max_steps: "",
};

/**
 * Settings of a new agent, as fields. They are open where the built-in model is the only one, as it
 * takes settings from nowhere else.
 */
export function SettingFields({
  values,
  onChange,
}: {
  values: Settings;
  onChange: (values: Settings) => void;
}) {
  const { data } = useConsoleQuery(reads.models);
  const isRules =
    data !== undefined &&
    !data.data.some(({ available, provider }) => available && provider !== "builtin");
  return (
    <details open={isRules} className="mx-4 mb-3 border-line border-t pt-2.5 text-sm">
      <summary className="cursor-pointer py-1 font-medium">Settings</summary>
      <p className="mt-1 mb-3 text-muted">
        {isRules
          ? "The built-in model interprets no prose: your words become the agent’s task as " +
            "they stand, and only these fields are settings."
          : "Sent as lines below your words. Leave empty what the model may choose."}
      </p>
      <div className="grid gap-3 pb-1 sm:grid-cols-2">
        {FIELDS.map(([key, label, example]) => (
          <Field key={key} label={label} optional>
            {(control) => (
              <Input
                {...control}
                value={values[key]}
                placeholder={example}
                spellCheck={false}
                autoComplete="off"
                inputMode={key === "max_steps" ? "numeric" : undefined}
                onChange={(event) => onChange({ ...values, [key]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  );
}
