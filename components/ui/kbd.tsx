import type { ReactNode } from "react";
import { mergeClasses } from "@/components/merge-classes";

/** A key's name; `onColour` where it stands on a button's own colour, whose text it then shares. */
export function Kbd({ children, onColour = false }: { children: ReactNode; onColour?: boolean }) {
  return (
    <kbd
      className={mergeClasses(
        "rounded-sm border px-1 font-mono text-2xs",
        onColour ? "border-current/40" : "border-line bg-sunken text-faint",
      )}
    >
      {children}
    </kbd>
  );
}
