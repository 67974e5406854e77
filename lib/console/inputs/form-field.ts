/** A JSON object as the API types it: an agent's `inputs_schema`, a run's `input`. */
export type InputSchema = Record<string, unknown>;

/** One field of the form that an agent's `inputs_schema` asks for. */
export interface FormField {
  name: string;
  label: string;
  description: string | null;
  control: "text" | "textarea" | "number" | "boolean" | "select" | "json";
  required: boolean;
  /** Of a select, in the order and types of the schema. */
  options: (string | number)[];
  integer: boolean;
  placeholder: string;
  initial: string | boolean;
}
