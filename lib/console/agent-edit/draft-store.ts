/** A text that is being edited. */
export interface Draft {
  /** What it was begun from, as the service has it. */
  base: string;
  /** What it says now, as the editor has it. */
  text: string;
  /** The release note that goes with it. */
  note: string;
}

/**
 * Unsaved texts by name, in this page's memory: they outlive a change of tab or page, and end with a reload. Nothing of them is put where the next
 * person at the same browser could find it.
 */
export class DraftStore {
  private readonly drafts = new Map<string, Draft>();
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The same object until it is put again. */
  find(name: string): Draft | null {
    return this.drafts.get(name) ?? null;
  }

  put(name: string, draft: Draft): void {
    this.drafts.set(name, draft);
    this.tell();
  }

  drop(name: string): void {
    if (this.drafts.delete(name)) this.tell();
  }

  /** Names of the drafts that start with `prefix`; a string, so that it can be compared. */
  names(prefix: string): string {
    return [...this.drafts.keys()].filter((name) => name.startsWith(prefix)).join("\n");
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
