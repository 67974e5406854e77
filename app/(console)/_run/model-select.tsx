"use client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import type { ModelList } from "@/lib/console/shapes/model-info";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** A run is led by a model that talks; these make something else. */
const OTHER_THAN_CHAT = ["image", "speech", "video"];

interface PickProps {
  value: string;
  onChange: (value: string) => void;
}

export function ModelSelect({ value, onChange }: PickProps) {
  const { data } = useConsoleQuery<ModelList>(consolePaths.models);
  const chat =
    data?.data.filter((model) => model.available && !model.capabilities.some((capability) => OTHER_THAN_CHAT.includes(capability))) ?? [];
  return (
    <Field label="Model" hint="The agent's own, unless you pick one.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Agent's default</option>
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
