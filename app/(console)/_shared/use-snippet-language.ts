"use client";
import { useSyncExternalStore } from "react";
import { SNIPPET_LANGUAGES, type SnippetLanguage } from "@/lib/console/snippets/snippet";

const STORED = "lathe-snippet-language";
const CHANGED = "lathe:snippet-language";

/** The language in which code is shown: one choice for all of it, kept in this browser. */
export function useSnippetLanguage(): [SnippetLanguage, (language: SnippetLanguage) => void] {
  return [useSyncExternalStore(subscribe, read, () => "curl"), choose];
}

// Where the browser keeps nothing, the choice holds for the page.
let chosen: SnippetLanguage = "curl";

function read(): SnippetLanguage {
  try {
    const stored = localStorage.getItem(STORED);
    return SNIPPET_LANGUAGES.find((language) => language === stored) ?? chosen;
  } catch {
    return chosen;
  }
}

function choose(language: SnippetLanguage): void {
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
