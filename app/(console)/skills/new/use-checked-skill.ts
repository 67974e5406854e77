"use client";
import { useEffect, useState } from "react";
import type { ParsedSkill } from "@/lib/model/skill/parse-skill";

const WAIT_MILLISECONDS = 250;

/** The text as the service will read it, shortly after it was last changed; null while it is empty or was never read yet. */
export function useCheckedSkill(content: string): ParsedSkill | null {
  const [checked, setChecked] = useState<ParsedSkill | null>(null);
  useEffect(() => {
    if (content.trim() === "") return setChecked(null);
    let late = false;
    const timer = setTimeout(() => {
      // The parser is loaded only where a skill is written.
      void import("@/lib/model/skill/parse-skill").then(({ parseSkill }) => late || setChecked(parseSkill(content)));
    }, WAIT_MILLISECONDS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [content]);
  return checked;
}
