"use client";

import { useMemo, useSyncExternalStore } from "react";

/** A text that is being edited. */
interface Draft {
  /** What it was begun from, as the service has it. */
  base: string;
  /** What it says now, as the editor has it. */
  text: string;
  /** The release note that goes with it. */
  note: string;
}

/**
 * Unsaved texts by name, in this page's memory: they outlive a change of tab or page, and end with
 * a reload. Nothing of them is put where the next person at the same browser could find it.
 */
export class DraftStore {
  readonly #drafts = new Map<string, Draft>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The same object until it is put again. */
  find(name: string): Draft | null {
    return this.#drafts.get(name) ?? null;
  }

  put(name: string, draft: Draft): void {
    this.#drafts.set(name, draft);
    this.#tell();
  }

  drop(name: string): void {
    if (this.#drafts.delete(name)) this.#tell();
  }

  /** Names of the drafts that start with `prefix`; a string, so that it can be compared. */
  names(prefix: string): string {
    return [...this.#drafts.keys()].filter((name) => name.startsWith(prefix)).join("\n");
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const AGENT_DRAFTS = new DraftStore();

export type DraftField = "skill_content" | "config_content";

export interface AgentDraft {
  /** The text as the editor holds it. */
  text: string;
  /** What the service has had when the change was begun. */
  base: string;
  dirty: boolean;
  /** The release note of the version that will come of it; empty while there is no change. */
  note: string;
  /** The stored text is not the one that the change was begun from. */
  outdated: boolean;
  edit: (text: string) => void;
  describe: (note: string) => void;
  discard: () => void;
  /**
   * Goes on from another stored text, with `text` (as the editor holds it) in place of the draft.
   */
  rebase: (base: string, text: string) => void;
  /**
   * `sent` (as the editor holds it) is stored, as `stored`; what was written since then stays a
   * draft.
   */
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
  return useMemo(() => {
    const { base, text, note } = draft ?? fresh(stored);
    // The draft of this very moment: the editor may report a change before it was drawn again.
    const now = () => AGENT_DRAFTS.find(name) ?? fresh(stored);
    const put = (next: Draft) =>
      isChange(next) ? AGENT_DRAFTS.put(name, next) : AGENT_DRAFTS.drop(name);
    return {
      base,
      text,
      note,
      dirty: draft !== null,
      outdated: draft !== null && draft.base !== stored,
      edit: (next: string) => put({ ...now(), text: next }),
      describe: (next: string) => put({ ...now(), note: next }),
      discard: () => AGENT_DRAFTS.drop(name),
      rebase: (nextBase: string, next: string) => put({ ...now(), base: nextBase, text: next }),
      settle: (sent: string, answer: string) => {
        const written = AGENT_DRAFTS.find(name)?.text ?? sent;
        put({ base: answer, text: written === sent ? toEditorText(answer) : written, note: "" });
      },
    };
  }, [draft, name, stored]);
}

function fresh(stored: string): Draft {
  return { base: stored, text: toEditorText(stored), note: "" };
}

/** A note alone makes no version. */
function isChange({ base, text }: Draft): boolean {
  return toEditorText(base) !== text;
}

/** A text as the editor holds it: every line end is one `\n`, whatever it was. */
export function toEditorText(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/**
 * An edited text with the line ends that `original` has throughout: a text that came with `\r\n`
 * goes back with it.
 */
export function withLineEndsOf(original: string, edited: string): string {
  const ends = original.match(/\r\n|\r|\n/g) ?? [];
  const windows = ends.length > 0 && ends.every((end) => end === "\r\n");
  return windows ? edited.replaceAll("\n", "\r\n") : edited;
}
