import type { ReactNode } from "react";
import { TurnedPart } from "@/components/brand/turned-part";

/** A page that has one thing to say. */
export function FullPageMessage({
  caption,
  title,
  children,
  action,
}: {
  caption: string;
  title: string;
  children: ReactNode;
  action: ReactNode;
}) {
  return (
    <div className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-center justify-center px-6 py-16 text-center">
      <TurnedPart seed={caption} drawn className="h-20 w-40 text-line-strong" />
      <p className="caption mt-6">{caption}</p>
      <h1 className="mt-2 font-semibold text-2xl">{title}</h1>
      <p className="mt-2 text-balance text-muted">{children}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>
    </div>
  );
}
