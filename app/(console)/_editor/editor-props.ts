import type { Extension } from "@codemirror/state";
import type { Ref } from "react";
import type { TextProblem } from "@/lib/console/config/config-draft";
import type { EditorLanguage } from "./editor-setup";

export interface CodeEditorHandle {
  /** Puts the cursor at a problem, in view. */
  goTo: (problem: TextProblem) => void;
}

export interface CodeEditorProps {
  value: string;
  onChange?: (text: string) => void;
  language: EditorLanguage;
  /** Its name for screen readers. */
  label: string;
  /** The id of what explains it. */
  describedBy?: string;
  readOnly?: boolean;
  /** Marked at their places and in the gutter. */
  problems?: readonly TextProblem[];
  /** More of the editor's own means; keep it the same object. */
  extra?: Extension;
  handle?: Ref<CodeEditorHandle>;
}

/** Bounds what a comparison in the browser may cost; beyond it texts are told apart less finely. Milliseconds. */
export const DIFF_LIMITS = { scanLimit: 1_000, timeout: 300 };
