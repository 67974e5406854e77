"use client";
import { CodeBlock } from "@/components/ui/code-block";
import { Segmented } from "@/components/ui/segmented";
import type { SnippetCall, SnippetLanguage } from "@/lib/console/snippets/snippet";
import { toSnippet } from "@/lib/console/snippets/to-snippet";
import { useBaseUrl } from "./base-url-context";
import { useFreshKey } from "./fresh-key";
import { useSnippetLanguage } from "./use-snippet-language";

const LANGUAGES: { value: SnippetLanguage; label: string }[] = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

interface SnippetsProps {
  call: Omit<SnippetCall, "baseUrl" | "apiKey" | "keyVariable">;
  what: string;
  /** For the app path, whose keys are its own; null stands for one that the reader fills in. */
  app?: { apiKey: string | null };
}

/** One call of the API as code, with this service's address, and the key that was just made while it is in memory. */
export function Snippets({ call, what, app }: SnippetsProps) {
  const [language, setLanguage] = useSnippetLanguage();
  const baseUrl = useBaseUrl(app ? "app" : "api");
  const fresh = useFreshKey().apiKey;
  const key = app ? { apiKey: app.apiKey, keyVariable: "LATHE_APP_KEY" } : { apiKey: fresh };
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex items-center justify-between gap-2">
        <Segmented label="Language" value={language} options={LANGUAGES} onChange={setLanguage} />
      </div>
      <CodeBlock
        code={toSnippet(language, { ...call, ...key, baseUrl })}
        label={`${what} in ${LANGUAGES.find(({ value }) => value === language)?.label}`}
      />
    </div>
  );
}
