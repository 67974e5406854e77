import type { ComponentProps } from "react";
import { mergeClasses } from "@/components/merge-classes";
import { INPUT_CLASSES } from "@/components/ui/input";

/** A text area that grows with its text where the browser can. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={mergeClasses(
        INPUT_CLASSES,
        "field-sizing-content min-h-20 max-h-96 resize-y py-2 leading-relaxed",
        className,
      )}
      {...rest}
    />
  );
}
