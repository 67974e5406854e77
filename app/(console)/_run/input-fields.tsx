"use client";
import { FreeInput } from "./free-input";
import { InputField } from "./input-field";
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
