"use client";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import type { SnippetLanguage } from "@/lib/console/snippets/snippet";
import { useSnippetLanguage } from "../../_shared/use-snippet-language";

const LANGUAGES: { value: SnippetLanguage; label: string }[] = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

/** The same in three languages, of which one is in view; the others stand in the page all the same. */
export function CodeTabs({ what, snippets }: { what: string; snippets: Record<SnippetLanguage, string> }) {
  const [language, setLanguage] = useSnippetLanguage();
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div>
        <Segmented label={`Language of “${what}”`} value={language} options={LANGUAGES} onChange={setLanguage} />
      </div>
      {LANGUAGES.map(({ value, label }) => (
        <div key={value} data-snippet={value} hidden={value !== language}>
          <CodeBlock code={snippets[value]} label={`${what} in ${label}`} />
        </div>
      ))}
    </div>
  );
}
