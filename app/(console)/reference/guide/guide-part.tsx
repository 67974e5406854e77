import type { ReactNode } from "react";
import type { SnippetLanguage } from "@/lib/console/snippets/snippet";
import { CodeTabs } from "../_parts/code-tabs";
import { Prose } from "../_parts/prose";
import { Section } from "../_parts/section";

interface GuidePartProps {
  id: string;
  title: string;
  /** Paragraphs with `code`. */
  text: string;
  code?: { what: string; snippets: Record<SnippetLanguage, string> };
  children?: ReactNode;
}

/** A section of the guide: words, code, and what it has besides. */
export function GuidePart({ id, title, text, code, children }: GuidePartProps) {
  return (
    <Section id={id} title={title}>
      <div className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-4">
        <Prose text={text} className="max-w-prose text-base" />
        {code && <CodeTabs {...code} />}
        {children}
      </div>
    </Section>
  );
}
