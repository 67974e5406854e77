"use client";
import { useMemo } from "react";
import type { Reader } from "@/components/format/format-value";
import { useHydrated } from "@/components/ui/use-hydrated";

/** The reader's language and time zone, as their browser has them; English and UTC until it has taken over. */
export function useReader(): Reader {
  const hydrated = useHydrated();
  return useMemo(
    () =>
      hydrated
        ? { locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : { locale: "en", timeZone: "UTC" },
    [hydrated],
  );
}
