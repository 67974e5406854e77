/** A skill as its SKILL.md says it (Agent Skills format). `content` is the whole file, `body` what follows the frontmatter. */
export type Skill = {
  name: string;
  description: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  /** Tools that the skill says it uses, or null when it says nothing. A note for the reader, never a permission. */
  allowedTools: string[] | null;
  body: string;
  content: string;
};
