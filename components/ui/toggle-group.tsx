"use client";
import { mergeClasses } from "@/components/merge-classes";

interface ToggleGroupProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** One of a few, all in view. */
export function ToggleGroup<Value extends string>({
  label,
  value,
  options,
  onChange,
}: ToggleGroupProps<Value>) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={mergeClasses(
            "h-6.5 shrink-0 rounded-[5px] px-2.5 text-xs transition-colors " +
              "focus-visible:-outline-offset-1",
            option.value === value
              ? "bg-surface font-medium text-foreground shadow-low"
              : "text-muted hover:text-foreground",
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
