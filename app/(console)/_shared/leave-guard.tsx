"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";

/**
 * While `on`, asks before a link to another page, a reload or a closed tab leaves unsaved changes
 * behind. `children` say what becomes of them.
 */
export function LeaveGuard({ on, children }: { on: boolean; children: ReactNode }) {
  const router = useRouter();
  /** Where the click that was held back leads. */
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    if (!on) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const href = hrefThatLeaves(event);
      if (!href) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    window.addEventListener("beforeunload", onUnload);
    window.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      window.removeEventListener("click", onClick, { capture: true });
    };
  }, [on]);
  return (
    <ConfirmDialog
      calm
      open={target !== null}
      onOpenChange={(open) => !open && setTarget(null)}
      title="Leave with unsaved changes?"
      action="Leave"
      cancel="Stay"
      loading={false}
      onConfirm={() => {
        setTarget(null);
        if (target) router.push(target);
      }}
    >
      {children}
    </ConfirmDialog>
  );
}

/** Where a plain click on a link of ours would go, when that is another page. */
function hrefThatLeaves(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target === "_blank" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || url.pathname === window.location.pathname)
    return null;
  return url.pathname + url.search + url.hash;
}
