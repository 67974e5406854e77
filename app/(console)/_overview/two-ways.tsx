import type { ReactNode } from "react";

/** The same step twice: done here and now, and as code. */
export function TwoWays({ here, code }: { here: ReactNode; code: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 content-start gap-4">{here}</div>
      <div className="min-w-0">{code}</div>
    </div>
  );
}
