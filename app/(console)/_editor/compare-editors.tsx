"use client";

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "@uiw/react-codemirror";
import { useMemo } from "react";
import { DIFF_LIMITS, EDITOR_LOOK, type EditorLanguage, useEditorView } from "./editor-setup";

export interface TextDiffProps {
  before: string;
  after: string;
  language: EditorLanguage;
  label: string;
  /** Shows what did not change, too. */
  whole: boolean;
}

/** What changed from one text to the other, in one column. */
export function TextDiff({ before, after, language, label, whole }: TextDiffProps) {
  const extensions = useMemo(
    () => [
      basicSetup({
        highlightActiveLine: false,
        highlightActiveLineGutter: false,
        foldGutter: false,
        autocompletion: false,
      }),
      EDITOR_LOOK,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        syntaxHighlightDeletions: false,
        diffConfig: DIFF_LIMITS,
        ...(whole ? {} : { collapseUnchanged: { margin: 3, minSize: 5 } }),
      }),
    ],
    [before, label, whole],
  );
  const { holder } = useEditorView({ value: after, language, extensions });
  return <div ref={holder} />;
}

export interface MergeEditorProps {
  /** What the service has now. */
  theirs: string;
  value: string;
  onChange: (text: string) => void;
  language: EditorLanguage;
  label: string;
}

/**
 * A text to write, with every place marked where it differs from the stored one, and buttons at
 * each to settle it.
 */
export function MergeEditor({ theirs, value, onChange, language, label }: MergeEditorProps) {
  const extensions = useMemo(
    () => [
      basicSetup({ foldGutter: false, autocompletion: false }),
      EDITOR_LOOK,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      unifiedMergeView({
        original: theirs,
        syntaxHighlightDeletions: false,
        diffConfig: DIFF_LIMITS,
        mergeControls: renderControl,
      }),
    ],
    [theirs, label],
  );
  const { holder } = useEditorView({ value, language, onChange, extensions });
  return <div ref={holder} />;
}

/** Either button settles its place: the mark goes away. Nothing pressed keeps the own lines. */
function renderControl(
  type: "accept" | "reject",
  action: (event: MouseEvent) => void,
): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = type === "accept" ? "Keep mine here" : "Take theirs here";
  button.addEventListener("click", action);
  return button;
}
