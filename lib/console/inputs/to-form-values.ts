import type { FormField, InputSchema } from "@/lib/console/inputs/form-field";
import type { FormValues } from "@/lib/console/inputs/to-run-input";

/** What a form shows for an input that was given before; fields that it does not name are left empty. The way back is `toRunInput`. */
export function toFormValues(fields: readonly FormField[], input: InputSchema): FormValues {
  return new Map(
    fields.map((field): [string, string | boolean] => {
      const value = Object.hasOwn(input, field.name) ? input[field.name] : undefined;
      if (field.control === "boolean") return [field.name, value === true];
      if (value === undefined) return [field.name, ""];
      return [field.name, typeof value === "string" && field.control !== "json" ? value : JSON.stringify(value)];
    }),
  );
}
