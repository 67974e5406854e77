"use client";
import { type KeyboardEvent, useId } from "react";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { INPUT_MAX_CHARACTERS } from "@/lib/model/limits";

interface PromptBoxProps {
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
  label: string;
  placeholder: string;
  action: string;
}

/** A big box for a request in words. Ctrl or ⌘ with Enter sends it. */
export function PromptBox({ value, onChange, onSubmit, label, placeholder, action }: PromptBoxProps) {
  const id = useId();
  const ready = value.trim() !== "";
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey) && ready) onSubmit();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSubmit();
      }}
      className="rounded-xl border border-line-strong bg-surface shadow-low transition-colors focus-within:border-accent"
    >
      <label htmlFor={id} className="block px-4 pt-3.5 font-medium text-sm">
        {label}
      </label>
      <textarea
        id={id}
        value={value}
        maxLength={INPUT_MAX_CHARACTERS}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={sendOnEnter}
        placeholder={placeholder}
        className="field-sizing-content block max-h-[50dvh] min-h-28 w-full resize-none bg-transparent px-4 py-2 text-lg leading-relaxed outline-none placeholder:text-faint"
      />
      <div className="flex items-center justify-end gap-3 px-3 pb-3">
        <span aria-hidden="true" className="hidden items-center gap-1 sm:flex">
          <Kbd>⌘</Kbd>
          <Kbd>↵</Kbd>
        </span>
        <Button type="submit" look="primary" disabled={!ready}>
          {action}
        </Button>
      </div>
    </form>
  );
}
