"use client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { consolePaths } from "@/lib/console/console-paths";
import type { ModelList } from "@/lib/console/shapes/model-info";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** A run is led by a model that talks; these make something else. */
const OTHER_THAN_CHAT = ["image", "speech", "video"];

interface PickProps {
  /** Whose model serves when none is picked. */
  whose?: "agent" | "service";
  value: string;
  onChange: (value: string) => void;
}

export function ModelSelect({ whose = "agent", value, onChange }: PickProps) {
  const { data } = useConsoleQuery<ModelList>(consolePaths.models);
  const chat =
    data?.data.filter((model) => model.available && !model.capabilities.some((capability) => OTHER_THAN_CHAT.includes(capability))) ?? [];
  return (
    <Field label="Model" hint={whose === "agent" ? "The agent's own, unless you pick one." : undefined}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{whose === "agent" ? "Agent's default" : "Default model"}</option>
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
