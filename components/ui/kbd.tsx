import type { ReactNode } from "react";

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded-sm border border-line bg-sunken px-1 font-mono text-2xs text-faint">
      {children}
    </kbd>
  );
}
