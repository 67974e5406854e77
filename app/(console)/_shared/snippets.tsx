"use client";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import type { SnippetCall, SnippetLanguage } from "@/lib/console/snippets/snippet";
import { toSnippet } from "@/lib/console/snippets/to-snippet";
import { useBaseUrl } from "./base-url-context";
import { useFreshKey } from "./fresh-key";

const LANGUAGES: { value: SnippetLanguage; label: string }[] = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

/** One call of the API as code, with this service's address, and the key that was just made while it is in memory. */
export function Snippets({ call, what }: { call: Omit<SnippetCall, "baseUrl" | "apiKey">; what: string }) {
  const [language, setLanguage] = useState<SnippetLanguage>("curl");
  const baseUrl = useBaseUrl();
  const { apiKey } = useFreshKey();
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex items-center justify-between gap-2">
        <Segmented label="Language" value={language} options={LANGUAGES} onChange={setLanguage} />
      </div>
      <CodeBlock
        code={toSnippet(language, { ...call, baseUrl, apiKey })}
        label={`${what} in ${LANGUAGES.find(({ value }) => value === language)?.label}`}
      />
    </div>
  );
}
