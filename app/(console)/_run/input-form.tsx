"use client";

import { useId, useMemo, useState } from "react";
import { Field, type FieldControl } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { ToggleGroup } from "@/components/ui/toggle-group";
import {
  type FormField,
  type FormValues,
  type InputSchema,
  type RunInput,
  toFormFields,
  toFormValues,
  toRunInput,
} from "@/lib/console/inputs";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";

/** What `InputFields` shows, and the way to read it. */
interface InputForm {
  /** Of the element around the fields. */
  id: string;
  /** Null where the input is free. */
  fields: FormField[] | null;
  values: FormValues;
  free: FreeInputValue;
  problems: ReadonlyMap<string, string>;
  setValue: (name: string, value: string | boolean) => void;
  setFree: (value: FreeInputValue) => void;
  /**
   * The input as it was filled in; null when something does not fit, which is then shown, and the
   * first such field gets the focus.
   */
  read: () => JsonObject | null;
}

/** The state of a form for an agent's inputs, begun from `initial` where one is given. */
export function useInputForm(schema: InputSchema | null, initial?: InputSchema): InputForm {
  const id = useId();
  const fields = useMemo(() => toFormFields(schema), [schema]);
  const [values, setValues] = useState<FormValues>(() =>
    fields && initial ? toFormValues(fields, initial) : new Map(),
  );
  const [free, setFree] = useState(() => toFree(initial, schema !== null && fields === null));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const read = () => {
    const found = fields ? toRunInput(fields, values) : readFreeInput(free);
    setProblems(found.problems);
    const first = found.problems.keys().next().value;
    if (first === undefined) return found.input;
    document
      .querySelector<HTMLElement>(`#${CSS.escape(id)} [name="${CSS.escape(first)}"]`)
      ?.focus();
    return null;
  };
  const setValue = (name: string, value: string | boolean) =>
    setValues((before) => new Map(before).set(name, value));
  return { id, fields, values, free, problems, setValue, setFree, read };
}

function toFree(initial: InputSchema | undefined, json: boolean): FreeInputValue {
  if (!initial) return { text: "", json };
  const { request, ...rest } = initial;
  if (typeof request === "string" && Object.keys(rest).length === 0 && !json)
    return { text: request, json: false };
  return { text: JSON.stringify(initial, null, 2), json: true };
}

/** A field for each of an agent's inputs; one for words or JSON where it names none. */
export function InputFields({ form }: { form: InputForm }) {
  const { fields, values, free, problems } = form;
  if (!fields)
    return <FreeInput value={free} error={problems.get("request")} onChange={form.setFree} />;
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
    <Field
      label={field.label}
      hint={field.description}
      error={error}
      optional={!field.required && field.control !== "boolean"}
    >
      {(control) => (
        <InputControl control={control} field={field} value={value} onChange={onChange} />
      )}
    </Field>
  );
}

function InputControl({
  control,
  field,
  value,
  onChange,
}: Omit<InputFieldProps, "error"> & { control: FieldControl }) {
  if (field.control === "boolean")
    return (
      <Switch {...control} name={field.name} checked={value === true} onCheckedChange={onChange} />
    );
  const shared = {
    ...control,
    name: field.name,
    value: String(value),
    required: field.required,
    placeholder: field.placeholder,
  };
  switch (field.control) {
    case "select":
      return (
        <Select
          {...control}
          name={field.name}
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">Choose…</option>
          {field.options.map((option) => (
            <option key={String(option)} value={String(option)}>
              {String(option)}
            </option>
          ))}
        </Select>
      );
    case "number":
      return (
        <Input
          {...shared}
          inputMode={field.integer ? "numeric" : "decimal"}
          onChange={(event) => onChange(event.target.value)}
        />
      );
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

interface FreeInputValue {
  text: string;
  json: boolean;
}

interface FreeInputProps {
  value: FreeInputValue;
  error: string | undefined;
  onChange: (value: FreeInputValue) => void;
}

/** For an agent that names no inputs: a request in words, or any JSON object. */
function FreeInput({ value, error, onChange }: FreeInputProps) {
  const hint = value.json
    ? "Any JSON object; it is the run's input as it stands."
    : "Sent as the input “request”.";
  const mode = (
    <ToggleGroup
      label="Kind of input"
      value={value.json ? "json" : "text"}
      options={[
        { value: "text", label: "Words" },
        { value: "json", label: "JSON" },
      ]}
      onChange={(next) => onChange({ ...value, json: next === "json" })}
    />
  );
  return (
    <Field label={value.json ? "Input" : "Request"} hint={hint} error={error} aside={mode}>
      {(control) => (
        <Textarea
          {...control}
          name="request"
          value={value.text}
          onChange={(event) => onChange({ ...value, text: event.target.value })}
          placeholder={value.json ? '{"topic": "…"}' : "What should it do?"}
          spellCheck={!value.json}
          className={value.json ? "font-mono text-sm" : undefined}
        />
      )}
    </Field>
  );
}

/** The run's input of what was written. */
function readFreeInput({ text, json }: FreeInputValue): RunInput {
  if (text.trim() === "")
    return json ? { input: {}, problems: NONE } : broken("Say what it should do.");
  if (!json) return { input: { request: text }, problems: NONE };
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value)
      ? { input: value, problems: NONE }
      : broken("Must be a JSON object: {…}.");
  } catch {
    return broken("This is not JSON.");
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function broken(problem: string): RunInput {
  return { input: {}, problems: new Map([["request", problem]]) };
}
