"use client";
import { useCallback, useEffect, useState } from "react";

interface LeaveGuard {
  /** Where the click that was held back leads; null while nobody wants to leave. */
  target: string | null;
  stay: () => void;
}

/** While `on`, holds back clicks on links to other pages, and has the browser ask before a reload or a closed tab. */
export function useLeaveGuard(on: boolean): LeaveGuard {
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
  return { target, stay: useCallback(() => setTarget(null), []) };
}

/** Where a plain click on a link of ours would go, when that is another page. */
function hrefThatLeaves(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link || link.target === "_blank" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  if (url.origin !== window.location.origin || url.pathname === window.location.pathname) return null;
  return url.pathname + url.search + url.hash;
}
