"use client";
import { useEffect, useState } from "react";
import { checkConfigDraft } from "@/lib/console/config/check-config-draft";
import type { TextProblem } from "@/lib/console/config/text-problem";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";

interface CheckedText {
  config: AgentConfig | null;
  /** What the text said when it last fitted. */
  lastGood: AgentConfig | null;
  problems: readonly TextProblem[];
}

/** A large text takes longer to check than to type. */
const PAUSE_MS = 150;

/** The text as the service would read it, a moment after the last key. `models` null: the list is not here yet, and models are not looked up. */
export function useCheckedConfig(text: string, models: readonly string[] | null): CheckedText {
  const [checked, setChecked] = useState<CheckedText>(() => check(text, models, null));
  useEffect(() => {
    const timer = setTimeout(() => setChecked((before) => check(text, models, before.lastGood)), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, models]);
  return checked;
}

function check(text: string, models: readonly string[] | null, lastGood: AgentConfig | null): CheckedText {
  const { config, problems } = checkConfigDraft(text, models ? { isKnownModel: (model) => models.includes(model) } : {});
  return { config, problems, lastGood: config ?? lastGood };
}
