import "server-only";

export interface ReadSkill {
  /** The instructions under `## Steps` or its like, else every list item; without their numbers. */
  steps: string[];
  /** What the skill is for: the text before the first list or second heading. */
  purpose: string;
}

const STEP_HEADING = /^#{1,6}\s+.*\b(?:steps?|workflow|instructions?|process|procedure|how|tasks?|what to do)\b/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/;
const STEPS_MAX = 20;

/** The parts of a skill that the rules follow. Frontmatter and code are passed over. */
export function readSkill(markdown: string): ReadSkill {
  const lines = withoutCode(markdown.replace(/^---\n[\s\S]*?\n---\n/, "")).split("\n");
  const isInSteps: boolean[] = [];
  let inSteps = false;
  for (const line of lines) {
    if (/^#{1,6}\s/.test(line)) inSteps = STEP_HEADING.test(line);
    isInSteps.push(inSteps);
  }
  const hasSection = isInSteps.some(Boolean);
  const steps = lines.flatMap((line, index) => {
    const text = ITEM.exec(line)?.[1]?.trim();
    return text && (isInSteps[index] || !hasSection) ? [plain(text)] : [];
  });
  const end = lines.findIndex((line, index) => (index > 0 && /^#{2,6}\s/.test(line)) || ITEM.test(line));
  const purpose = lines
    .slice(0, end < 0 ? 12 : end)
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .trim();
  return { steps: steps.slice(0, STEPS_MAX), purpose: plain(purpose) };
}

function withoutCode(text: string): string {
  return text
    .split(/^```.*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("\n");
}

/** Without the marks of emphasis and code. */
function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, "").trim();
}
