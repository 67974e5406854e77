"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";

interface NewKey {
  apiKey: string | null;
  remember: (apiKey: string | null) => void;
}

const NewKeyContext = createContext<NewKey>({ apiKey: null, remember: () => undefined });

/**
 * Holds the account key that was just made, in this tab's memory only, so that copied code works at
 * once.
 */
export function NewKeyProvider({ children }: { children: ReactNode }) {
  const [apiKey, remember] = useState<string | null>(null);
  return <NewKeyContext value={{ apiKey, remember }}>{children}</NewKeyContext>;
}

export function useNewKey(): NewKey {
  return useContext(NewKeyContext);
}

/** A key's text, this once. */
export function RevealedKey({ apiKey }: { apiKey: string }) {
  return (
    <div className="grid gap-2 rounded-lg border border-accent-line bg-accent-soft p-3.5">
      <p className="text-sm">
        <span className="font-medium">Copy it now.</span>{" "}
        <span className="text-muted">Only its hash is stored: it cannot be shown again.</span>
      </p>
      <div className="flex items-center gap-2 rounded-md border border-line bg-surface py-1 pr-1 pl-2.5">
        <code
          data-testid="api-key"
          className="min-w-0 flex-1 select-all break-all font-mono text-xs"
        >
          {apiKey}
        </code>
        <CopyButton text={apiKey} what="API key" wordy />
      </div>
    </div>
  );
}
