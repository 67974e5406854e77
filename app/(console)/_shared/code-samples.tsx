"use client";
import { useSyncExternalStore } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { ToggleGroup } from "@/components/ui/toggle-group";
import type { ExampleCall } from "@/lib/console/reference/api-document";
import {
  codeSamples,
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from "@/lib/console/reference/code-samples";
import { useBaseUrl } from "../_shell/console-providers";
import { useNewKey } from "./new-key";

const LANGUAGES: { value: SampleLanguage; label: string }[] = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
];

/**
 * The same in three languages, of which one is in view; the others stand in the page all the same.
 */
export function CodeSamples({
  what,
  samples,
}: {
  what: string;
  samples: Record<SampleLanguage, string>;
}) {
  const [language, setLanguage] = useSampleLanguage();
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div>
        <ToggleGroup
          label={`Language of “${what}”`}
          value={language}
          options={LANGUAGES}
          onChange={setLanguage}
        />
      </div>
      {LANGUAGES.map(({ value, label }) => (
        <div key={value} data-snippet={value} hidden={value !== language}>
          <CodeBlock code={samples[value]} label={`${what} in ${label}`} />
        </div>
      ))}
    </div>
  );
}

interface CallSamplesProps {
  what: string;
  call: Pick<ExampleCall, "operationId" | "method" | "path"> &
    Partial<Pick<ExampleCall, "places" | "answer">> & { body?: unknown };
  /** For the app path, whose keys are its own; null stands for one that the reader fills in. */
  app?: { apiKey: string | null };
}

/**
 * One call of the API as code, with this service's address, and the key that was just made while it
 * is in memory.
 */
export function CallSamples({ what, call: { body, ...call }, app }: CallSamplesProps) {
  const baseUrl = useBaseUrl(app ? "app" : "api");
  const accountKey = useNewKey().apiKey;
  const samples = codeSamples({
    places: {},
    headers: {},
    answer: "json",
    isList: false,
    ...call,
    body: body === undefined ? null : { kind: "json", value: body },
    key: app ? "app" : "account",
    apiKey: app ? app.apiKey : accountKey,
    baseUrl,
  });
  return <CodeSamples what={what} samples={samples} />;
}

const STORED = "lathe-snippet-language";
const CHANGED = "lathe:snippet-language";

/** The language in which code is shown: one choice for all of it, kept in this browser. */
export function useSampleLanguage(): [SampleLanguage, (language: SampleLanguage) => void] {
  return [useSyncExternalStore(subscribe, read, () => "curl"), choose];
}

// Where the browser keeps nothing, the choice holds for the page.
let chosen: SampleLanguage = "curl";

function read(): SampleLanguage {
  try {
    const stored = localStorage.getItem(STORED);
    return SAMPLE_LANGUAGES.find((language) => language === stored) ?? chosen;
  } catch {
    return chosen;
  }
}

function choose(language: SampleLanguage): void {
  chosen = language;
  try {
    localStorage.setItem(STORED, language);
  } catch {
    // It is refused in some private windows; `chosen` stands in.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(changed: () => void): () => void {
  // `storage` tells of the choice in another tab.
  for (const event of [CHANGED, "storage"]) window.addEventListener(event, changed);
  return () => {
    for (const event of [CHANGED, "storage"]) window.removeEventListener(event, changed);
  };
}
