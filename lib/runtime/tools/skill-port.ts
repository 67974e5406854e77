import "server-only";

/** The skills that a run may read: the account's enabled ones and the built-in ones. */
export interface SkillPort {
  /** The whole SKILL.md and the paths of the files beside it; null when the run has no skill of this name. */
  find(name: string): Promise<{ content: string; files: string[] } | null>;
  /** The bytes of a file beside SKILL.md; null when there is none at this path. */
  readFile(name: string, path: string): Promise<Uint8Array | null>;
}
