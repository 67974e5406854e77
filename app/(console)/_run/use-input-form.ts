"use client";
import { useId, useMemo, useState } from "react";
import { type FormField, type FormValues, type InputSchema, toFormFields, toFormValues, toRunInput } from "@/lib/console/inputs";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { type FreeInputValue, readFreeInput } from "./free-input";

/** What `InputFields` shows, and the way to read it. */
export interface InputForm {
  /** Of the element around the fields. */
  id: string;
  /** Null where the input is free. */
  fields: FormField[] | null;
  values: FormValues;
  free: FreeInputValue;
  problems: ReadonlyMap<string, string>;
  setValue: (name: string, value: string | boolean) => void;
  setFree: (value: FreeInputValue) => void;
  /** The input as it was filled in; null when something does not fit, which is then shown, and the first such field gets the focus. */
  read: () => JsonObject | null;
}

/** The state of a form for an agent's inputs, begun from `initial` where one is given. */
export function useInputForm(schema: InputSchema | null, initial?: InputSchema): InputForm {
  const id = useId();
  const fields = useMemo(() => toFormFields(schema), [schema]);
  const [values, setValues] = useState<FormValues>(() => (fields && initial ? toFormValues(fields, initial) : new Map()));
  const [free, setFree] = useState(() => toFree(initial, schema !== null && fields === null));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const read = () => {
    const found = fields ? toRunInput(fields, values) : readFreeInput(free);
    setProblems(found.problems);
    const first = found.problems.keys().next().value;
    if (first === undefined) return found.input;
    document.querySelector<HTMLElement>(`#${CSS.escape(id)} [name="${CSS.escape(first)}"]`)?.focus();
    return null;
  };
  const setValue = (name: string, value: string | boolean) => setValues((before) => new Map(before).set(name, value));
  return { id, fields, values, free, problems, setValue, setFree, read };
}

function toFree(initial: InputSchema | undefined, json: boolean): FreeInputValue {
  if (!initial) return { text: "", json };
  const { request, ...rest } = initial;
  if (typeof request === "string" && Object.keys(rest).length === 0 && !json) return { text: request, json: false };
  return { text: JSON.stringify(initial, null, 2), json: true };
}
