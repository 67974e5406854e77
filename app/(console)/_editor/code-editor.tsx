"use client";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "@uiw/react-codemirror";
import { useEffect, useImperativeHandle, useMemo } from "react";
import type { TextProblem } from "@/lib/console/config/config-draft";
import { type CodeEditorProps, EDITOR_LOOK, useEditorView } from "./editor-setup";

/**
 * A text to write, or with `readOnly` to read and select. Tab leaves it, as it leaves any field.
 */
export function CodeEditor({
  value,
  onChange,
  language,
  label,
  describedBy,
  readOnly,
  problems,
  extra,
  handle,
}: CodeEditorProps) {
  const extensions = useMemo(
    () => [...frame({ label, describedBy, readOnly }), ...(extra ? [extra] : [])],
    [label, describedBy, readOnly, extra],
  );
  const { holder, view } = useEditorView({ value, language, onChange, extensions });
  useEffect(() => {
    if (view && problems)
      view.dispatch(setDiagnostics(view.state, problems.map(toDiagnostic(view.state))));
  }, [view, problems]);
  useImperativeHandle(handle, () => ({ goTo: (problem) => view && goTo(view, problem) }), [view]);
  return <div ref={holder} className={readOnly ? undefined : "[&_.cm-content]:min-h-64"} />;
}

function frame({
  label,
  describedBy,
  readOnly = false,
}: Pick<CodeEditorProps, "label" | "describedBy" | "readOnly">): Extension[] {
  const writing = !readOnly;
  return [
    basicSetup({
      highlightActiveLine: writing,
      highlightActiveLineGutter: writing,
      foldGutter: false,
      autocompletion: writing,
    }),
    EDITOR_LOOK,
    EditorView.lineWrapping,
    ...(writing ? [lintGutter()] : [EditorState.readOnly.of(true), EditorView.editable.of(false)]),
    EditorView.contentAttributes.of({
      "aria-label": label,
      tabindex: "0",
      ...(describedBy ? { "aria-describedby": describedBy } : {}),
    }),
  ];
}

/**
 * A problem's place, kept inside the text: the text may have become shorter since it was checked.
 */
function placeOf(state: EditorState, { line, column }: TextProblem): { from: number; to: number } {
  const row = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
  const from = Math.min(row.from + Math.max(column - 1, 0), row.to);
  return { from, to: row.to };
}

function toDiagnostic(state: EditorState): (problem: TextProblem) => Diagnostic {
  return (problem) => ({
    ...placeOf(state, problem),
    severity: problem.severity,
    message: problem.message,
  });
}

function goTo(view: EditorView, problem: TextProblem): void {
  view.dispatch({ selection: { anchor: placeOf(view.state, problem).from }, scrollIntoView: true });
  view.focus();
}
