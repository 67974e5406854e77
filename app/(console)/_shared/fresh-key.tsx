"use client";
import { createContext, type ReactNode, useContext, useState } from "react";

interface FreshKey {
  apiKey: string | null;
  remember: (apiKey: string | null) => void;
}

const FreshKeyContext = createContext<FreshKey>({ apiKey: null, remember: () => undefined });

/** Holds the account key that was just made, in this tab's memory only, so that copied code works at once. */
export function FreshKeyProvider({ children }: { children: ReactNode }) {
  const [apiKey, remember] = useState<string | null>(null);
  return <FreshKeyContext value={{ apiKey, remember }}>{children}</FreshKeyContext>;
}

export function useFreshKey(): FreshKey {
  return useContext(FreshKeyContext);
}
