"use client";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "@uiw/react-codemirror";
import { useMemo } from "react";
import { DIFF_LIMITS } from "./editor-props";
import { EDITOR_LOOK, type EditorLanguage, useEditorView } from "./editor-setup";

export interface MergeEditorProps {
  /** What the service has now. */
  theirs: string;
  value: string;
  onChange: (text: string) => void;
  language: EditorLanguage;
  label: string;
}

/** A text to write, with every place marked where it differs from the stored one, and buttons at each to settle it. */
export function MergeEditor({ theirs, value, onChange, language, label }: MergeEditorProps) {
  const extensions = useMemo(
    () => [
      basicSetup({ foldGutter: false, autocompletion: false }),
      EDITOR_LOOK,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      unifiedMergeView({ original: theirs, syntaxHighlightDeletions: false, diffConfig: DIFF_LIMITS, mergeControls: renderControl }),
    ],
    [theirs, label],
  );
  const { holder } = useEditorView({ value, language, onChange, extensions });
  return <div ref={holder} />;
}

/** Either button settles its place: the mark goes away. Nothing pressed keeps the own lines. */
function renderControl(type: "accept" | "reject", action: (event: MouseEvent) => void): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = type === "accept" ? "Keep mine here" : "Take theirs here";
  button.addEventListener("click", action);
  return button;
}
