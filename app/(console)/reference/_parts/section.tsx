import type { ReactNode } from "react";

/** A part of a page of the reference, with a heading that can be linked to. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="scroll-mt-20 border-line border-b pb-1.5 font-semibold text-lg">
        <a href={`#${id}`} className="rounded-sm hover:underline hover:decoration-line-strong hover:underline-offset-4">
          {title}
        </a>
      </h2>
      {children}
    </section>
  );
}
