"use client";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { ModelId } from "@/lib/client/schemas";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";

/** A run is led by a model that talks; these make something else. */
const OTHER_THAN_CHAT = ["image", "speech", "video"];

interface PickProps {
  /** Whose model serves when none is picked. */
  whose?: "agent" | "service";
  value: ModelId | "";
  onChange: (value: ModelId | "") => void;
}

export function ModelSelect({ whose = "agent", value, onChange }: PickProps) {
  const { data } = useConsoleQuery(reads.models);
  const chat =
    data?.data.filter((model) => model.available && !model.capabilities.some((capability) => OTHER_THAN_CHAT.includes(capability))) ?? [];
  return (
    <Field label="Model" hint={whose === "agent" ? "The agent's own, unless you pick one." : undefined}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onChange(chat.find(({ model }) => model === event.target.value)?.model ?? "")}
        >
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
