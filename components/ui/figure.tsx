import type { ReactNode } from "react";

/** One number with its name. */
export function Figure({
  label,
  value,
  note,
}: {
  label: string;
  value: ReactNode;
  note?: ReactNode;
}) {
  return (
    <div className="min-w-0 bg-surface px-4 py-3.5">
      <dt className="caption">{label}</dt>
      <dd className="mt-1.5 truncate font-semibold text-2xl tabular tracking-tight">{value}</dd>
      {note && <dd className="mt-0.5 truncate text-faint text-xs">{note}</dd>}
    </div>
  );
}
