"use client";
import { Check, ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { mergeClasses } from "@/components/merge-classes";

interface QuickstartStepProps {
  number: number;
  title: string;
  done: boolean;
  /** Opens by itself when it becomes the next one. */
  initiallyOpen: boolean;
  children: ReactNode;
}

export function QuickstartStep({ number, title, done, initiallyOpen, children }: QuickstartStepProps) {
  const [open, setOpen] = useState(initiallyOpen);
  useEffect(() => {
    if (initiallyOpen) setOpen(true);
  }, [initiallyOpen]);
  return (
    <li className="border-line border-b last:border-0">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex w-full items-center gap-3 px-4 py-3 text-left focus-visible:-outline-offset-2"
        >
          <span
            className={mergeClasses(
              "grid size-5.5 shrink-0 place-items-center rounded-full border font-mono text-2xs",
              done ? "border-primary bg-primary text-primary-foreground" : "border-line-strong text-muted",
            )}
          >
            {done ? <Check aria-hidden="true" className="size-3.5" strokeWidth={3} /> : number}
          </span>
          <span className={mergeClasses("font-medium text-base", done && !open && "text-muted")}>{title}</span>
          {done && <span className="sr-only">Done</span>}
          <ChevronRight
            aria-hidden="true"
            className={mergeClasses("ml-auto size-4 text-faint transition-transform", open && "rotate-90")}
          />
        </button>
      </h3>
      {/* Hidden rather than taken away: a run that goes on in it goes on being shown. */}
      <div hidden={!open} className="px-4 pb-5 sm:pl-12.5">
        {children}
      </div>
    </li>
  );
}
