"use client";
import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "@uiw/react-codemirror";
import { useMemo } from "react";
import { DIFF_LIMITS } from "./editor-props";
import { EDITOR_LOOK, type EditorLanguage, useEditorView } from "./editor-setup";

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
      basicSetup({ highlightActiveLine: false, highlightActiveLineGutter: false, foldGutter: false, autocompletion: false }),
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
