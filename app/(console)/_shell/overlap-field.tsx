import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";

interface OverlapFieldProps {
  label: string;
  /** Minutes. */
  value: string;
  onChange: (minutes: string) => void;
}

/** How long the old key or secret works beside the one that takes its place. */
export function OverlapField({ label, value, onChange }: OverlapFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="0">Not a second longer</option>
          <option value="60">1 more hour</option>
          <option value="1440">1 more day</option>
          <option value="10080">7 more days</option>
          <option value="43200">30 more days</option>
        </Select>
      )}
    </Field>
  );
}
