import { mergeClasses } from "@/components/merge-classes";

/** The mark: a spindle on its axis. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={mergeClasses("size-6", className)}>
      <rect width="24" height="24" rx="6" fill="var(--primary)" />
      <path
        d={
          "M4 10.2h3.2V8.4h2V6.2c2.6-1 5.6-1 7.2 1.2v2L20 10.6v2.8l-3.6 1.2v2c-1.6 2.2-4.6 " +
          "2.2-7.2 1.2v-2.2h-2v-1.8H4z"
        }
        fill="#fff"
      />
      <path d="M2.5 12h19" stroke="var(--primary)" strokeWidth="1" />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={mergeClasses("inline-flex items-center gap-2", className)}>
      <LogoMark />
      <span className="font-semibold text-lg tracking-tight">Lathe</span>
    </span>
  );
}
