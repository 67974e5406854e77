"use client";
import { type ReactNode, useId } from "react";

/** What the control inside has to carry. */
export interface FieldControl {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** At the right of the label, such as a link. */
  aside?: ReactNode;
  optional?: boolean;
  children: (control: FieldControl) => ReactNode;
}

/** A label, its control, a hint and an error that are tied together for everyone. */
export function Field({ label, hint, error, aside, optional, children }: FieldProps) {
  const id = useId();
  const describedBy =
    [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ") || undefined;
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="flex items-baseline gap-2">
          <label htmlFor={id} className="font-medium text-sm">
            {label}
          </label>
          {optional && <span className="text-faint text-xs">Optional</span>}
        </span>
        {aside}
      </div>
      {children({ id, "aria-describedby": describedBy, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-faint text-xs">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-danger text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
