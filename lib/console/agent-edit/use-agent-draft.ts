"use client";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { type Draft, DraftStore } from "@/lib/console/agent-edit/draft-store";
import { toEditorText } from "@/lib/console/agent-edit/line-ends";

export const AGENT_DRAFTS = new DraftStore();

export type DraftField = "skill_content" | "config_content";

export interface AgentDraft {
  /** The text as the editor holds it. */
  text: string;
  /** What the service has had when the change was begun. */
  base: string;
  dirty: boolean;
  /** The stored text is not the one that the change was begun from. */
  outdated: boolean;
  edit: (text: string) => void;
  discard: () => void;
  /** Goes on from another stored text, with `text` (as the editor holds it) in place of the draft. */
  rebase: (base: string, text: string) => void;
  /** `sent` (as the editor holds it) is stored, as `stored`; what was written since then stays a draft. */
  settle: (sent: string, stored: string) => void;
}

/** The unsaved text of one field of an agent; while there is none, it follows `stored`. */
export function useAgentDraft(agentId: string, field: DraftField, stored: string): AgentDraft {
  const name = `${agentId}/${field}`;
  const draft = useSyncExternalStore(
    AGENT_DRAFTS.subscribe,
    () => AGENT_DRAFTS.find(name),
    () => null,
  );
  const put = useCallback((next: Draft) => (isChange(next) ? AGENT_DRAFTS.put(name, next) : AGENT_DRAFTS.drop(name)), [name]);
  return useMemo(() => {
    const { base, text } = draft ?? { base: stored, text: toEditorText(stored) };
    return {
      base,
      text,
      dirty: draft !== null,
      outdated: draft !== null && draft.base !== stored,
      // The base of this very moment: the editor may report a change before it was drawn again.
      edit: (next: string) => put({ base: AGENT_DRAFTS.find(name)?.base ?? stored, text: next }),
      discard: () => AGENT_DRAFTS.drop(name),
      rebase: (nextBase: string, next: string) => put({ base: nextBase, text: next }),
      settle: (sent: string, now: string) => {
        const text = AGENT_DRAFTS.find(name)?.text ?? sent;
        put({ base: now, text: text === sent ? toEditorText(now) : text });
      },
    };
  }, [draft, name, put, stored]);
}

function isChange({ base, text }: Draft): boolean {
  return toEditorText(base) !== text;
}
