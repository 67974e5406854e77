"use client";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { mergeClasses } from "@/components/merge-classes";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";

interface SecretValueFieldProps {
  register: UseFormRegisterReturn<"value">;
  error: string | undefined;
  /** It takes the place of a value that is there. */
  fresh: boolean;
}

/**
 * The value, hidden while it is typed. A text area, as keys of several lines have to keep their line ends; uncontrolled, so that the
 * text never becomes part of the page's markup.
 */
export function SecretValueField({ register, error, fresh }: SecretValueFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      label={fresh ? "New value" : "Value"}
      error={error}
      hint="This is the only time that it can be seen."
      aside={
        <Button look="ghost" size="small" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          {shown ? "Hide value" : "Show value"}
        </Button>
      }
    >
      {(control) => (
        <Textarea
          {...control}
          {...register}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          className={mergeClasses(
            "min-h-16 max-h-40 break-all font-mono text-xs max-sm:text-[16px]",
            !shown && "[-webkit-text-security:disc]",
          )}
        />
      )}
    </Field>
  );
}
