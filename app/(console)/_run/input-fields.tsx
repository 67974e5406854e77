"use client";
import { Field, type FieldControl } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import type { FormField } from "@/lib/console/inputs";
import { FreeInput } from "./free-input";
import type { InputForm } from "./use-input-form";

/** A field for each of an agent's inputs; one for words or JSON where it names none. */
export function InputFields({ form }: { form: InputForm }) {
  const { fields, values, free, problems } = form;
  if (!fields) return <FreeInput value={free} error={problems.get("request")} onChange={form.setFree} />;
  return fields.map((field) => (
    <InputField
      key={field.name}
      field={field}
      value={values.get(field.name) ?? field.initial}
      error={problems.get(field.name)}
      onChange={(value) => form.setValue(field.name, value)}
    />
  ));
}

interface InputFieldProps {
  field: FormField;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
}

/** One input of an agent, in the control that fits its type. */
function InputField({ field, value, error, onChange }: InputFieldProps) {
  return (
    <Field label={field.label} hint={field.description} error={error} optional={!field.required && field.control !== "boolean"}>
      {(control) => <InputControl control={control} field={field} value={value} onChange={onChange} />}
    </Field>
  );
}

function InputControl({ control, field, value, onChange }: Omit<InputFieldProps, "error"> & { control: FieldControl }) {
  if (field.control === "boolean") return <Switch {...control} name={field.name} checked={value === true} onCheckedChange={onChange} />;
  const shared = { ...control, name: field.name, value: String(value), required: field.required, placeholder: field.placeholder };
  switch (field.control) {
    case "select":
      return (
        <Select {...control} name={field.name} value={String(value)} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose…</option>
          {field.options.map((option) => (
            <option key={String(option)} value={String(option)}>
              {String(option)}
            </option>
          ))}
        </Select>
      );
    case "number":
      return <Input {...shared} inputMode={field.integer ? "numeric" : "decimal"} onChange={(event) => onChange(event.target.value)} />;
    case "text":
      return <Input {...shared} onChange={(event) => onChange(event.target.value)} />;
    default:
      return (
        <Textarea
          {...shared}
          spellCheck={field.control !== "json"}
          className={field.control === "json" ? "font-mono text-sm" : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}
