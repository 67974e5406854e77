"use client";
import { useMemo } from "react";
import { Markdown } from "@/components/markdown/markdown";
import { CodeBlock } from "@/components/ui/code-block";

/**
 * What an agent answered: a structured answer, which is JSON, as indented code; all else as a page.
 * `live`: more of it may come.
 */
export function Answer({ text, live = false }: { text: string; live?: boolean }) {
  const code = useMemo(() => structuredAnswer(text, live), [text, live]);
  if (code === null) return <Markdown text={text} live={live} />;
  return <CodeBlock code={code} label="structured answer" wraps />;
}

/**
 * Null for prose. What is still coming in is no JSON yet: it counts by how it begins, and is shown
 * as it comes.
 */
export function structuredAnswer(text: string, live: boolean): string | null {
  const start = text.trimStart();
  if (live) return /^\{\s*"/.test(start) ? start : null;
  if (!start.startsWith("{") && !start.startsWith("[")) return null;
  try {
    return JSON.stringify(JSON.parse(start), null, 2);
  } catch {
    return null;
  }
}
