"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useSyncExternalStore } from "react";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { AGENT_DRAFTS } from "@/lib/console/agent-edit/use-agent-draft";

/** Asks before a link, a reload or a closed tab leaves this agent's unsaved texts behind. */
export function UnsavedGuard({ agentId }: { agentId: string }) {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);
  const guarded = useUnsavedFields(agentId).length > 0;
  useEffect(() => {
    if (!guarded) return;
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
  }, [guarded]);
  return (
    <ConfirmDialog
      calm
      open={target !== null}
      onOpenChange={(open) => !open && setTarget(null)}
      title="Leave with unsaved changes?"
      action="Leave"
      cancel="Stay"
      busy={false}
      onConfirm={() => {
        setTarget(null);
        if (target) router.push(target);
      }}
    >
      They are not stored yet. This browser tab keeps them until it is reloaded or closed: come back to this agent to go on.
    </ConfirmDialog>
  );
}

/** The fields of an agent that hold unsaved text. */
export function useUnsavedFields(agentId: string): string[] {
  const names = useSyncExternalStore(
    AGENT_DRAFTS.subscribe,
    () => AGENT_DRAFTS.names(`${agentId}/`),
    () => "",
  );
  return names === "" ? [] : names.split("\n").map((name) => name.slice(agentId.length + 1));
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
