"use client";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { Textarea } from "@/components/ui/textarea";
import type { RunInput } from "@/lib/console/inputs";
import { isJsonObject } from "@/lib/model/json-schema/json-value";

export interface FreeInputValue {
  text: string;
  json: boolean;
}

interface FreeInputProps {
  value: FreeInputValue;
  error: string | undefined;
  onChange: (value: FreeInputValue) => void;
}

/** For an agent that names no inputs: a request in words, or any JSON object. */
export function FreeInput({ value, error, onChange }: FreeInputProps) {
  const hint = value.json ? "Any JSON object; it is the run's input as it stands." : "Sent as the input “request”.";
  const mode = (
    <Segmented
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
export function readFreeInput({ text, json }: FreeInputValue): RunInput {
  if (text.trim() === "") return json ? { input: {}, problems: NONE } : broken("Say what it should do.");
  if (!json) return { input: { request: text }, problems: NONE };
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? { input: value, problems: NONE } : broken("Must be a JSON object: {…}.");
  } catch {
    return broken("This is not JSON.");
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function broken(problem: string): RunInput {
  return { input: {}, problems: new Map([["request", problem]]) };
}
